// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace unit;

namespace {

long long resolution(std::vector<long long> const& ascending) {
    return ns(sonde::detail::resolution_of(of_ns(ascending)));
}

} // namespace

TEST_CASE("the resolution is the distance between clusters of differences, not the cost of a reading") {
    CHECK(resolution({20, 20, 21, 30, 31, 31}) == 10);
    CHECK(resolution({20, 21, 30, 31, 38, 39}) == 8); // the smallest distance
    CHECK(resolution({0, 0, 0, 1000, 1000, 3000}) == 1000);
    CHECK(resolution({18, 20, 22, 40, 42}) == 21); // 2 ns apart is one cluster; from 20 to 41
}

TEST_CASE("the resolution of a fine clock is the smallest distance within its one cluster") {
    CHECK(resolution({20, 21, 22, 23}) == 1);
    CHECK(resolution({20, 20, 22, 22}) == 2);
}

TEST_CASE("equal differences give no resolution") {
    CHECK(resolution({25, 25, 25}) == 0);
    CHECK(resolution({25}) == 0);
}

namespace {

/// A clock with a known cost of a reading and a known tick.
struct stepping {
    std::int64_t cost;
    std::int64_t step;
    std::int64_t at = 0;
    std::size_t reads = 0;

    std::chrono::nanoseconds now() {
        ++reads;
        at += cost;
        return std::chrono::nanoseconds{at / step * step};
    }
};

} // namespace

TEST_CASE("cost, resolution and bias of a clock with a known cost and tick") {
    stepping clock{23, 10};
    auto const found = sonde::measure_clock_properties(clock);
    CHECK(ns(found.cost) == 23);
    CHECK(ns(found.resolution) == 10);
    CHECK(ns(found.bias) == 20); // 20 seven times in ten, else 30

    stepping coarse{27, 1000};
    auto const seen = sonde::measure_clock_properties(coarse);
    CHECK(ns(seen.cost) == 27);
    CHECK(ns(seen.resolution) == 1000);
    CHECK(ns(seen.bias) == 0);
}

namespace {

/// Every 5000th reading is preempted for a while.
struct disturbed : stepping {
    std::chrono::nanoseconds now() {
        if (reads % 5000 == 4999) at += 1'000'000;
        return stepping::now();
    }
};

} // namespace

TEST_CASE("preempted readings do not change cost and bias") {
    disturbed clock{{23, 1}};
    auto const found = sonde::measure_clock_properties(clock);
    CHECK(ns(found.cost) == 23);
    CHECK(ns(found.bias) == 23);
}

namespace {

/// A clock without state, as those of the standard library.
struct stateless {
    static inline std::size_t reads = 0;
    static std::chrono::nanoseconds now() { return std::chrono::nanoseconds{++reads}; }
};

} // namespace

TEST_CASE("a clock without state is measured once, one with state for every run") {
    stateless clock;
    (void)sonde::clock_properties_of(clock);
    auto const reads = stateless::reads;
    CHECK(reads > 20'000);
    CHECK(ns(sonde::clock_properties_of(clock).cost) == 1);
    CHECK(stateless::reads == reads);

    stepping with_state{23, 10};
    (void)sonde::clock_properties_of(with_state);
    auto const once = with_state.reads;
    (void)sonde::clock_properties_of(with_state);
    CHECK(with_state.reads == 2 * once);
}

namespace {

/// A clock with state of which equal ones have equal properties.
struct numbered {
    int number;
    static inline std::size_t reads = 0;
    static std::chrono::nanoseconds now() { return std::chrono::nanoseconds{++reads}; }
    bool operator==(numbered const&) const = default;
};

} // namespace

TEST_CASE("a clock with state is measured once if it can be compared, not in each run of a sweep") {
    sonde::single_rank group;
    auto const plan = [](int number) {
        return sonde::plan<>{}
            .warmup(0)
            .until(sonde::samples{3})
            .synchronized(sonde::no_sync{})
            .timed_by(numbered{number});
    };
    CHECK(ns(sonde::run(group, plan(1), [] {}).clock_properties.cost) == 1);
    auto const once = numbered::reads;
    CHECK(once > 20'000);
    CHECK(ns(sonde::run(group, plan(1), [] {}).clock_properties.cost) == 1);
    CHECK(numbered::reads - once < 20);
    (void)sonde::run(group, plan(2), [] {}); // another clock
    CHECK(numbered::reads > 2 * 20'000);
}

namespace {

/// A clock whose reading lets another rank of this process run and read it, too.
struct yielding {
    static inline std::size_t reads = 0;
    static inline bool others_came = false;
    static std::chrono::nanoseconds now() {
        if (++reads == 5) {
            yielding clock;
            others_came = sonde::clock_properties_of(clock).cost > sonde::seconds{};
        }
        return std::chrono::nanoseconds{reads};
    }
};

} // namespace

TEST_CASE("a rank that measures a clock does not wait for another one of its process") {
    yielding clock;
    CHECK(ns(sonde::clock_properties_of(clock).cost) >= 1);
    CHECK(yielding::others_came);
}

TEST_CASE_FIXTURE(one_rank, "a clock with properties() is not measured") {
    time.properties = {23ns, 10ns, 20ns};
    auto const r = sonde::run(group, plan(1), [&] { clock.advance(1ms); });
    CHECK(ns(r.clock_properties.cost) == 23);
    CHECK(ns(r.clock_properties.resolution) == 10);
    CHECK(ns(r.clock_properties.bias) == 20);
    CHECK(time.reads == 2);
}

TEST_CASE_FIXTURE(one_rank, "a sample below 20 times the bias is flagged") {
    time.properties = {0ns, 0ns, 10ns};
    CHECK(sonde::run(group, plan(3), [&] { clock.advance(199ns); }).flags.timer_limited);
    CHECK_FALSE(sonde::run(group, plan(3), [&] { clock.advance(201ns); }).flags.timer_limited);
}

TEST_CASE_FIXTURE(one_rank, "a sample below 100 times the resolution is flagged") {
    time.properties = {0ns, 10ns, 0ns};
    CHECK(sonde::run(group, plan(3), [&] { clock.advance(999ns); }).flags.timer_limited);
    CHECK_FALSE(sonde::run(group, plan(3), [&] { clock.advance(1001ns); }).flags.timer_limited);
}

TEST_CASE_FIXTURE(one_rank, "the whole batch counts against the clock's resolution") {
    time.properties = {0ns, 0ns, 10ns};
    CHECK(sonde::run(group, plan(3).batch(10), [&] { clock.advance(19ns); }).flags.timer_limited);
    CHECK_FALSE(sonde::run(group, plan(3).batch(10), [&] { clock.advance(21ns); }).flags.timer_limited);
}
