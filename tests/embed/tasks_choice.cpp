// SPDX-License-Identifier: BSL-1.0
#include "../support.hpp"

#include "tasks/job.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <vector>

using namespace unit;
using tasks::way;

namespace {

/// 60 tasks of one pixel.
tasks::picture sixty() { return {.columns = 10, .rows = 6, .limit = 1, .block = 1}; }

/// The results of 20 rounds, in nanoseconds.
tasks::round_comparison of(long long counter, long long server, std::array<int, 2> workers) {
    tasks::round_comparison found{{}, workers};
    for (auto const ns : {counter, server}) {
        found.compared.records.emplace_back();
        found.compared.records.back().series = of_ns(std::vector<long long>(20, ns));
    }
    return found;
}

} // namespace

TEST_CASE("a schedule's forecast is the number of rounds of its busiest worker, the last one fractional") {
    auto const jobs = tasks::forecast_of(of(1000, 900, {7, 6}), sixty());
    CHECK(ns(jobs.records[0].series) == std::vector<long long>(20, 9 * 1000));
    CHECK(ns(jobs.records[1].series) == std::vector<long long>(20, 10 * 900));
}

TEST_CASE("the server's rounds must be faster by more than its missing worker") {
    CHECK(tasks::choose(tasks::forecast_of(of(1000, 700, {4, 3}), sixty())) == way::server);
    CHECK(tasks::choose(tasks::forecast_of(of(1000, 750, {4, 3}), sixty())) == way::counter); // 15 to 20 rounds: equal
    CHECK(tasks::choose(tasks::forecast_of(of(1000, 800, {4, 3}), sixty())) == way::counter);
    CHECK(tasks::choose(tasks::forecast_of(of(1000, 1000, {4, 3}), sixty())) == way::counter);
}

TEST_CASE("an undecided comparison selects the counter, which needs no server") {
    auto found = of(1000, 600, {4, 3});
    for (std::size_t i = 0; i != 20; i += 2) found.compared.records[1].series[i] *= 2;
    auto const jobs = tasks::forecast_of(found, sixty());
    CHECK(sonde::classify(jobs, 1) == sonde::outcome::undecided);
    CHECK(tasks::choose(jobs) == way::counter);
}
