// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace unit;
using sonde::samples;
using sonde::stop_reason;
using sonde::time_budget;

TEST_CASE_FIXTURE(alone, "a number of samples: so many, and that was why") {
    auto const r = sonde::run(group, plan(12), [&] { clock.advance(1us); });
    CHECK(r.series.size() == 12);
    CHECK(r.stop.samples == 12);
    CHECK(r.stop.reason == stop_reason::samples);
}

TEST_CASE_FIXTURE(alone, "a budget: samples go on until the first look at or after it") {
    auto const r = sonde::run(group, plan(1).until(time_budget{12us}), [&] { clock.advance(1us); });
    CHECK(r.stop.samples == 14); // looks after 11 and 14
    CHECK(r.stop.reason == stop_reason::time_budget);
    auto const exact = sonde::run(group, plan(1).until(time_budget{11us}), [&] { clock.advance(1us); });
    CHECK(exact.stop.samples == 11);
}

TEST_CASE_FIXTURE(alone, "a budget begins with the first sample: the warm-up is free") {
    auto const r = sonde::run(group, plan(1).warmup(50).until(time_budget{4us}), [&] { clock.advance(1us); });
    CHECK(r.stop.samples == 4);
}

TEST_CASE_FIXTURE(alone, "a budget counts synchronization too: it is a time to wait for the user") {
    auto const waiting = [&](auto&, std::size_t) { clock.advance(9us); };
    auto const r =
        sonde::run(group, plan(1).until(time_budget{30us}).synchronized(waiting), [&] { clock.advance(1us); });
    CHECK(r.stop.samples == 3);
}

TEST_CASE_FIXTURE(alone, "a look costs one clock read, for a rule that is shown time; none for others") {
    (void)sonde::run(group, plan(1).until(time_budget{4us}), [&] { clock.advance(1us); });
    CHECK(time.reads == 4 * 2 + 1 + 4); // samples, the beginning, looks
    time.reads = 0;
    (void)sonde::run(group, plan(1).until(samples{4} || samples{9}), [&] { clock.advance(1us); });
    CHECK(time.reads == 4 * 2);
}

TEST_CASE_FIXTURE(alone, "a rule that is uniform is agreed on without talking") {
    (void)sonde::run(group, plan(7), [] {});
    auto const quiet = group.reductions; // are plans equal, one block, two for the record
    CHECK(quiet == 4);
    group.reductions = 0;
    (void)sonde::run(group, plan(1).until(time_budget{0s}), [] {});
    CHECK(group.reductions == quiet + 1);
}

TEST_CASE_FIXTURE(alone, "both rules of a && b are heard") {
    auto const r = sonde::run(group, plan(1).until(samples{5} && time_budget{20us}), [&] { clock.advance(1us); });
    CHECK(r.stop.samples == 23); // the budget looks after 1, 2, 3, 4, 6, 8, 11, 14, 18, 23
    CHECK(r.stop.reason == stop_reason::time_budget);
}

namespace {

/// Stops after a number of looks, and never knows how many samples to take until the next.
struct looks_left {
    int looks;
    std::size_t next(std::size_t n) const { return n == 0 ? 1 : 0; }
    sonde::decision operator()(sonde::progress const&) { return {--looks == 0, stop_reason::other}; }
};

} // namespace

TEST_CASE_FIXTURE(alone, "a rule that asks for no sample until its next look gets one: the series ends") {
    auto const r = sonde::run(group, plan(1).until(looks_left{3}), [] {});
    CHECK(r.stop.samples == 3);
    CHECK(r.stop.reason == stop_reason::other);
}
