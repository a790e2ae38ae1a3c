// SPDX-License-Identifier: BSL-1.0
// Clocks that step back, stand still or have coarse ticks: whatever waits for them ends, and records say so.
#include "../../support.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/measure/overlap.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

using namespace unit;
using sonde::sim::picoseconds;

namespace {

constexpr std::size_t never = 0;

/// A clock that takes 100 ns for a reading. It goes back by `step` at every `period`-th reading, stands still from
/// reading `stops_at` on, and shows whole ticks.
struct faulty_clock {
    struct state {
        picoseconds shown{};
        std::size_t reads = 0;
        picoseconds step{};
        std::size_t period = never;
        std::size_t stops_at = never;
        picoseconds tick{1};
    };
    state* of;

    picoseconds now() const {
        auto& s = *of;
        ++s.reads;
        if (s.stops_at == never || s.reads < s.stops_at) s.shown += 100ns;
        if (s.period != never && s.reads % s.period == 0) s.shown -= s.step;
        return s.shown / s.tick * s.tick;
    }
    void advance(picoseconds by) const { of->shown += by; }
    sonde::clock_properties properties() const { return {}; }
};

auto plan_by(faulty_clock clock, auto rule) {
    return sonde::plan<>{}.warmup(0).synchronized(sonde::no_sync{}).timed_by(clock).until(rule);
}

struct no_messages {
    void send(int, std::span<std::byte const>) {}
    void receive(int, std::span<std::byte>) {}
};

} // namespace

TEST_CASE("elapsed time is the sum of a clock's steps forward, and of a good clock the difference of two readings") {
    sonde::sim::virtual_time time;
    sonde::sim::manual_clock clock{time};
    sonde::detail::stopwatch elapsed{clock};
    CHECK(elapsed() == 0ns);
    clock.advance(300ns);
    CHECK(ns(elapsed()) == 300);
    CHECK_FALSE(elapsed.stepped_back());
    clock.advance(-1ms);
    CHECK(ns(elapsed()) == 300);
    CHECK(elapsed.stepped_back());
    clock.advance(40ns);
    CHECK(ns(elapsed()) == 340);
}

TEST_CASE("the flag of a clock at fault has a name") {
    CHECK(sonde::to_string(sonde::flags{.clock_fault = true}) == "clock_fault");
}

TEST_CASE("a shortest time is never a negative one, if there is another") {
    auto const shortest = [](std::vector<long long> const& times) {
        auto best = of_ns(times).front();
        for (auto const t : of_ns(times))
            if (sonde::detail::is_shorter(t, best)) best = t;
        return ns(best);
    };
    CHECK(shortest({5, 3, 4}) == 3);
    CHECK(shortest({5, -900, 4}) == 4);
    CHECK(shortest({-900, 5, -7}) == 5);
    CHECK(shortest({-900, -7}) == -7);
    CHECK(shortest({5, 0}) == 0);
}

TEST_CASE("a time budget ends a series whose clock steps back as much as it advances, flagged") {
    sonde::single_rank group;
    faulty_clock::state state{.step = 100us, .period = 1000};
    auto const r = sonde::run(group, plan_by({&state}, sonde::time_budget{200us}), [] {});
    CHECK(r.stop.reason == sonde::stop_reason::time_budget);
    CHECK(r.flags.clock_fault);
}

TEST_CASE("a rule that waits for a clock that stands still ends after 2^22 samples, flagged") {
    sonde::single_rank group;
    faulty_clock::state state{.stops_at = 1};
    auto plan = plan_by({&state}, sonde::time_budget{1ms});
    sonde::detail::measurement one;
    std::exception_ptr const none;
    std::size_t evaluations = 0;
    auto const take = [&](std::size_t, std::size_t) { // samples of which only the first is in the block
        ++evaluations;
        one.block.reset(1, false);
        one.block.times.emplace_back();
        return std::size_t{1} << 16;
    };
    sonde::detail::sample(sonde::group_ref{group}, plan, plan.rule, false, {&one, 1}, none, take);
    CHECK(evaluations == 64); // 2^22 samples
    CHECK(one.found.stop.reason == sonde::stop_reason::unreachable);
    CHECK(one.mine.clock_fault);
}

TEST_CASE("a series by count is not flagged if its clock stands still, nor if it steps between samples") {
    sonde::single_rank group;
    faulty_clock::state stopped{.stops_at = 1};
    CHECK_FALSE(sonde::run(group, plan_by({&stopped}, sonde::samples{100}), [] {}).flags.clock_fault);
    faulty_clock::state between{.step = 1ms, .period = 2001}; // the reading after the thousandth sample
    auto const r = sonde::run(group, plan_by({&between}, sonde::samples{1001}), [] {});
    CHECK_FALSE(r.flags.clock_fault);
    CHECK(ns(sonde::quantile(r, 0)) == 100);
}

TEST_CASE("a negative time on one rank of two is flagged in the record of both, and leaves a comparison undecided") {
    auto const flagged = on_ranks(2, {}, [](process& self) {
        sonde::sim::group group{self};
        faulty_clock::state state{.step = 1ms, .period = self.rank() == 1 ? 1000U : never};
        faulty_clock clock{&state};
        auto const plan = plan_by(clock, sonde::samples{1000});
        auto const r = sonde::run(group, plan, [&] { clock.advance(2us); });
        auto const found = sonde::compare(
            group, plan, [&] { clock.advance(2us); }, [&] { clock.advance(1us); });
        return std::vector{r.flags.clock_fault, found.records[1].flags.clock_fault,
                           sonde::classify(found, 1) == sonde::outcome::undecided};
    });
    for (auto const& rank : flagged) CHECK(rank == std::vector{true, true, true});
}

TEST_CASE("steps back do not change the properties of a clock") {
    faulty_clock::state good{.tick = 10ns}, stepping{.step = 1ms, .period = 1000, .tick = 10ns};
    faulty_clock a{&good}, b{&stepping};
    auto const expected = sonde::measure_clock_properties(a), found = sonde::measure_clock_properties(b);
    CHECK(found.resolution == expected.resolution);
    CHECK(found.bias == expected.bias);
    CHECK(found.cost == 0s); // there was a step in each batch of readings
    stepping.period = 5000;
    CHECK(ns(sonde::measure_clock_properties(b).cost) == ns(expected.cost));
}

TEST_CASE("a step back while a batch is chosen does not change the batch") {
    struct clock_with_bias : faulty_clock {
        sonde::clock_properties properties() const { return {{}, {}, 1us}; }
    };
    auto const batch = [](std::size_t period) {
        sonde::single_rank group;
        faulty_clock::state state{.step = 1ms, .period = period};
        clock_with_bias clock{{&state}};
        auto const plan =
            sonde::plan<>{}.warmup(0).synchronized(sonde::no_sync{}).timed_by(clock).until(sonde::samples{1});
        return sonde::run(group, plan.batch(sonde::by_timer), [&] { clock.advance(50ns); }).batch;
    };
    CHECK(batch(never) == 499);
    CHECK(batch(58) == 499); // the end of the second of three batches of 512, the first size that is long enough
}

TEST_CASE("busy_wait ends with a clock that steps back as much as it advances, after the time that passed") {
    faulty_clock::state state{.step = 100us, .period = 1000};
    sonde::busy_wait{faulty_clock{&state}}(999'950ns); // between two readings, so that rounding does not decide
    CHECK(state.reads == 10'011); // the first, and 10,000 that show 100 ns, besides the 10 that step back
}

TEST_CASE("busy_wait ends with a clock that stands still") {
    faulty_clock::state state{.stops_at = 3};
    sonde::busy_wait{faulty_clock{&state}}(1ms);
    CHECK(state.reads >= std::size_t{1} << 22);
}

TEST_CASE("calibrated_work has the same units with a clock that steps back, and is calibrated by ticks of 10 ms") {
    auto const units = [](faulty_clock::state state) {
        faulty_clock const clock{&state};
        sonde::calibrated_work work{0, [&](std::size_t n) { clock.advance(static_cast<std::int64_t>(n) * 1ns); },
                                    clock};
        work.set_duration(20us);
        return work.units();
    };
    CHECK(units({.step = 1ms, .period = 100}) == units({}));
    struct coarse_clock : faulty_clock {
        sonde::clock_properties properties() const { return {{}, 10ms, {}}; }
    };
    faulty_clock::state state{.tick = 10ms};
    coarse_clock const clock{{&state}};
    std::size_t most = 0;
    auto const unit = [&](std::size_t n) {
        most = n < most ? most : n, clock.advance(static_cast<std::int64_t>(n) * 1ns);
    };
    sonde::calibrated_work work{0, unit, clock};
    work.set_duration(1s);
    CHECK(work.units() > 800'000'000);
    CHECK(work.units() <= 1'000'000'000);
}

TEST_CASE("a start during which the clock steps back is late, and its sample is repeated") {
    sonde::single_rank group;
    faulty_clock::state state{.period = never};
    sonde::synchronized_start start{group, faulty_clock{&state}, no_messages{}, "one clock"};
    state.step = 1ms, state.period = 101;
    auto const plan = sonde::plan<>{}.warmup(0).timed_by(faulty_clock{&state}).until(sonde::samples{50});
    auto const r = sonde::run(group, plan.synchronized(start), [] {});
    CHECK(r.stop.samples == 50);
    CHECK(r.global->late_samples > 0);
}

TEST_CASE("a synchronized start with a clock that stands still misses its samples, and the run throws") {
    sonde::single_rank group;
    faulty_clock::state state{.stops_at = never};
    sonde::synchronized_start start{group, faulty_clock{&state}, no_messages{}, "one clock"};
    state.stops_at = state.reads;
    auto const plan = sonde::plan<>{}.warmup(0).timed_by(faulty_clock{&state}).until(sonde::samples{50});
    CHECK_THROWS_AS((void)sonde::run(group, plan.synchronized(start), [] {}), std::runtime_error);
}
