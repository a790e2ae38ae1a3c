// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <vector>

using namespace unit;
using sonde::until_stable;

namespace {

/// Iterations that take `times`, then a microsecond each.
struct warming {
    sonde::sim::manual_clock* clock;
    std::vector<std::chrono::nanoseconds> times;
    std::size_t done = 0;
    void operator()() { clock->advance(done < times.size() ? times[done] : 1us), ++done; }
};

std::size_t warmed_in(one_rank& one, std::vector<std::chrono::nanoseconds> times, until_stable how) {
    warming pattern{&one.clock, std::move(times)};
    auto const r = sonde::run(one.group, one.plan(1).warmup(how), pattern);
    CHECK(r.stop.samples == 1);
    return pattern.done - 1;
}

} // namespace

TEST_CASE_FIXTURE(one_rank, "a steady pattern is warm after blocks of 1, 2, 4, 8 and 16 iterations") {
    CHECK(warmed_in(*this, {}, {}) == 31);
    CHECK(group.reductions == 5 + 4); // one a block; the plan's comparison, the sample's, and two at the end
}

TEST_CASE_FIXTURE(one_rank,
                  "a synchronizer counts from 0 in a warm-up, in each batch that is tried, and in the samples") {
    time.properties = {.resolution = 100ns};
    std::vector<std::size_t> seen, expected;
    auto const synchronize = [&](auto&, std::size_t i) { seen.push_back(i); };
    auto const r = sonde::run(group, plan(2).warmup(until_stable{}).batch(sonde::by_timer).synchronized(synchronize),
                              [&] { clock.advance(300ns); });
    CHECK(r.batch == 42);
    for (auto const count : std::to_array<std::size_t>({31, 3, 3, 3, 3, 3, 3, 3, 2})) // batches of 1, 2, 4 .. 64
        for (std::size_t i = 0; i != count; ++i) expected.push_back(i);
    CHECK(seen == expected);
}

TEST_CASE_FIXTURE(one_rank,
                  "a pattern that gets faster is warm when a block's median equals that of the block before") {
    auto const slow_for = [&](std::size_t n) {
        return warmed_in(*this, std::vector<std::chrono::nanoseconds>(n, 2us), until_stable{0.05, 1s});
    };
    CHECK(slow_for(7) == 31);  // block of 8 as fast as that of 16
    CHECK(slow_for(12) == 63); // the block of 8 had more slow ones than fast ones
    CHECK(slow_for(20) == 63);
}

TEST_CASE_FIXTURE(one_rank, "the tolerance is the allowed difference of two blocks' medians") {
    std::vector<std::chrono::nanoseconds> const a_tenth_slower(15, 1100ns);
    CHECK(warmed_in(*this, a_tenth_slower, until_stable{0.05, 1s}) == 63);
    CHECK(warmed_in(*this, a_tenth_slower, until_stable{0.1, 1s}) == 31);
    CHECK(warmed_in(*this, a_tenth_slower, until_stable{0.09, 1s}) == 63);
}

TEST_CASE_FIXTURE(one_rank, "a pattern that is never stable is warmed up for the maximum time, to the end of a block") {
    std::vector<std::chrono::nanoseconds> ever_slower;
    for (int i = 0; i != 100; ++i) ever_slower.push_back(1us * (1 << (i / 8)));
    CHECK(warmed_in(*this, ever_slower, until_stable{0, 6us}) == 7);
    CHECK(warmed_in(*this, ever_slower, until_stable{0, 7us}) == 7);
    CHECK(warmed_in(*this, ever_slower, until_stable{0, 8us}) == 15);
}

TEST_CASE_FIXTURE(one_rank, "the first iteration of a warm-up until stable is kept") {
    warming pattern{&clock, {90us, 3us}};
    CHECK(ns(sonde::run(group, plan(1).warmup(until_stable{}), pattern).first) == 90'000);
}

TEST_CASE("ranks warm up together, by the slowest one's medians and rank 0's time") {
    for (auto const& [most, expected] : {std::pair{sonde::seconds{1}, 63}, std::pair{sonde::seconds{20e-6}, 15}}) {
        auto const all = on_ranks(3, {}, [most = most](process& self) {
            auto group = self.group();
            int done = 0;
            auto const plan =
                sonde::plan<>{}.warmup(until_stable{0.05, most}).until(sonde::samples{1}).timed_by(self.clock());
            // Rank 1 is slow for longer than the others.
            (void)sonde::run(group, plan, [&] { self.work(done++ < (self.rank() == 1 ? 15 : 1) ? 2us : 1us); });
            return done - 1;
        });
        CHECK(all == std::vector<int>(3, expected));
    }
}

TEST_CASE_FIXTURE(one_rank, "a number of iterations and a warm-up until stable replace each other") {
    auto pattern = warming{&clock, {}};
    (void)sonde::run(group, plan(1).warmup(until_stable{}).warmup(3), pattern);
    CHECK(pattern.done == 4);
}

TEST_CASE_FIXTURE(one_rank, "a group without initiators is warm after the shortest warm-up until stable") {
    struct idle {
        std::size_t* done;
        void operator()() const { ++*done; }
        sonde::role role() const { return role::idle; }
    };
    std::size_t done = 0;
    (void)sonde::run(group, plan(1).warmup(until_stable{0.05, 1s}), idle{&done});
    CHECK(done == 31 + 1);
}

TEST_CASE_FIXTURE(one_rank, "a warm-up that ends inside a cold start is longer by the samples that are cold") {
    std::vector<std::chrono::nanoseconds> const cold(8, 6ms);
    warming pattern{&clock, cold};
    auto const r = sonde::run(group, plan(30).warmup(until_stable{.max_time = sonde::seconds{5ms}}), pattern);
    CHECK(ns(r.series) == std::vector<long long>(30, 1000));
    CHECK(ns(r.over_ranks.mean) == 1000);
    CHECK(ns(r.first) == 6'000'000);
    CHECK(r.stop.samples == 30);
    CHECK(pattern.done == 1 + 30 + 30);
}

TEST_CASE_FIXTURE(one_rank, "a first sample that was preempted, and a given number of iterations, warm up no longer") {
    auto const done_with = [&](std::size_t slow, auto warmup) {
        std::vector<std::chrono::nanoseconds> times(63, 1us);
        times.insert(times.end(), slow, 6ms);
        warming pattern{&clock, times};
        pattern.done = 32;
        static_cast<void>(sonde::run(group, plan(30).warmup(warmup), pattern));
        return pattern.done - 32;
    };
    CHECK(done_with(1, until_stable{}) == 31 + 30);
    CHECK(done_with(2, until_stable{}) == 31 + 30 + 30);
    CHECK(done_with(2, std::size_t{31}) == 31 + 30);
}
