// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
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

TEST_CASE("a difference that is rare is no tick") {
    std::vector<long long> fine, coarse(1000, 20);
    for (int i = 0; i != 1000; ++i) fine.push_back(20 + i / 100); // 20 to 29
    coarse.insert(coarse.end(), 1000, 30);
    for (auto* const differences : {&fine, &coarse}) {
        auto const tick = differences == &fine ? 1 : 10;
        differences->insert(differences->end(), {37, 7'878, 7'882, 4'000'000});
        CHECK(resolution(*differences) == tick);
    }
    CHECK(resolution({20, 20, 20, 20, 21, 21, 21, 21, 63}) == 1);
}

TEST_CASE("a cluster that is wider than conversion makes it shows a finer tick than the distance to the next one") {
    CHECK(resolution({20, 21, 22, 23, 24, 25, 40, 41}) == 1);
    CHECK(resolution({20, 22, 24, 26, 40, 41, 41}) == 1);
    CHECK(resolution({20, 22, 24, 26, 40, 40}) == 2);
}

TEST_CASE("the tick of a clock that mostly shows no time is its smallest advance, however rare") {
    std::vector<long long> differences(20'000, 0);
    differences.insert(differences.end(), {1'000'000, 3'000'000});
    CHECK(resolution(differences) == 1'000'000);
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

/// A clock of which a reading takes `cost`, and up to `more` in addition. Of every 5000 readings one is preempted for
/// 37 ns to 8 ms, each time for another time.
struct preempted : stepping {
    std::int64_t more = 0;
    sonde::detail::random_numbers draw{};

    std::chrono::nanoseconds now() {
        at += static_cast<std::int64_t>(draw() % static_cast<std::size_t>(more + 1));
        if (draw() % 5000 == 0) at += std::int64_t{37} << draw() % 18;
        return stepping::now();
    }
};

} // namespace

TEST_CASE("preempted readings change no property of a clock, in any start") {
    for (std::uint64_t seed = 0; seed != 25; ++seed) {
        CAPTURE(seed);
        preempted fine{{23, 1}, 7, {seed}}, coarse{{23, 10}, 0, {seed}};
        auto const properties = sonde::measure_clock_properties(fine);
        CHECK(ns(properties.resolution) == 1);
        CHECK(ns(properties.cost) == 26); // 23 and 3.5 on average, of the fastest batch
        CHECK(ns(properties.bias) >= 26);
        CHECK(ns(properties.bias) <= 27);
        auto const whole = sonde::measure_clock_properties(coarse);
        CHECK(ns(whole.resolution) == 10);
        CHECK(ns(whole.cost) == 23);
        CHECK(ns(whole.bias) == 20);
    }
}

TEST_CASE("a clock whose ticks are longer than the measurement is read until it has advanced often enough") {
    for (std::int64_t const tick : {1'000, 100'000, 1'000'000, 4'000'000}) {
        CAPTURE(tick);
        preempted clock{{25, tick}, 0, {1}};
        CHECK(ns(sonde::measure_clock_properties(clock).resolution) == tick);
    }
    stepping standing{0, 1};
    CHECK(ns(sonde::measure_clock_properties(standing).resolution) == 0);
    CHECK(standing.reads <= 11'011 + 2 * 64 * 20'000);
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

TEST_CASE_FIXTURE(one_rank, "one preempted sample among short ones does not hide that they are short") {
    time.properties = {0ns, 0ns, 10ns};
    int i = 0;
    CHECK(sonde::run(group, plan(3), [&] { clock.advance(i++ == 0 ? 1ms : 199ns); }).flags.timer_limited);
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
