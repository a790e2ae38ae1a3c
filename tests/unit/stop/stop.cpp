// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace unit;
using sonde::samples;
using sonde::stop_reason;
using sonde::time_budget;

TEST_CASE_FIXTURE(one_rank, "a number of samples: the series has that number, and the reason") {
    auto const r = sonde::run(group, plan(12), [&] { clock.advance(1us); });
    CHECK(r.series.size() == 12);
    CHECK(r.stop.samples == 12);
    CHECK(r.stop.reason == stop_reason::samples);
}

TEST_CASE_FIXTURE(one_rank, "a budget: samples continue until the first evaluation at or after it") {
    auto const r = sonde::run(group, plan(1).until(time_budget{12us}), [&] { clock.advance(1us); });
    CHECK(r.stop.samples == 14); // evaluated after 11 and 14
    CHECK(r.stop.reason == stop_reason::time_budget);
    auto const exact = sonde::run(group, plan(1).until(time_budget{11us}), [&] { clock.advance(1us); });
    CHECK(exact.stop.samples == 11);
}

TEST_CASE_FIXTURE(one_rank, "a budget begins with the first sample, without the warm-up") {
    auto const r = sonde::run(group, plan(1).warmup(50).until(time_budget{4us}), [&] { clock.advance(1us); });
    CHECK(r.stop.samples == 4);
}

TEST_CASE_FIXTURE(one_rank, "a budget includes the time of synchronization") {
    auto const waiting = [&](auto&, std::size_t) { clock.advance(9us); };
    auto const r =
        sonde::run(group, plan(1).until(time_budget{30us}).synchronized(waiting), [&] { clock.advance(1us); });
    CHECK(r.stop.samples == 3);
}

TEST_CASE_FIXTURE(one_rank, "an evaluation costs one clock reading for a rule that uses time, and none for others") {
    (void)sonde::run(group, plan(1).until(time_budget{4us}), [&] { clock.advance(1us); });
    CHECK(time.reads == 4 * 2 + 1 + 4); // samples, the beginning, evaluations
    time.reads = 0;
    (void)sonde::run(group, plan(1).until(samples{4} || samples{9}), [&] { clock.advance(1us); });
    CHECK(time.reads == 4 * 2);
}

TEST_CASE_FIXTURE(one_rank, "a uniform rule is evaluated without communication") {
    (void)sonde::run(group, plan(7), [] {});
    auto const quiet = group.reductions; // comparison of plans, one block, two for the record
    CHECK(quiet == 4);
    CHECK(group.broadcasts == 0);
    group.reductions = 0;
    (void)sonde::run(group, plan(1).until(time_budget{0s}), [] {});
    CHECK(group.reductions == quiet);
    CHECK(group.broadcasts == 1);
}

TEST_CASE_FIXTURE(one_rank, "a && b evaluates both rules") {
    auto const r = sonde::run(group, plan(1).until(samples{5} && time_budget{20us}), [&] { clock.advance(1us); });
    CHECK(r.stop.samples == 23); // the budget is evaluated after 1, 2, 3, 4, 6, 8, 11, 14, 18, 23
    CHECK(r.stop.reason == stop_reason::time_budget);
}

namespace {

/// Stops after a number of evaluations, and returns 0 for the samples until the next.
struct evaluations_left {
    int left;
    std::size_t next(std::size_t n) const { return n == 0 ? 1 : 0; }
    sonde::decision operator()(sonde::progress const&) { return {--left == 0, stop_reason::other}; }
};

} // namespace

TEST_CASE_FIXTURE(one_rank,
                  "a rule that requests 0 samples until its next evaluation gets one, so that the series ends") {
    auto const r = sonde::run(group, plan(1).until(evaluations_left{3}), [] {});
    CHECK(r.stop.samples == 3);
    CHECK(r.stop.reason == stop_reason::other);
}
