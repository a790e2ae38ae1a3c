// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>
#include <vector>

using namespace unit;
using sonde::by_timer;

namespace {

/// The batch of a pattern with this time of an iteration, by a clock with these properties.
std::size_t batch_of(std::chrono::nanoseconds iteration, sonde::clock_properties properties) {
    one_rank one;
    one.time.properties = properties;
    return sonde::run(one.group, one.plan(1).batch(by_timer), [&] { one.clock.advance(iteration); }).batch;
}

constexpr sonde::clock_properties coarse{{}, sonde::seconds{10ns}, {}}; // needs 1000 ns
constexpr sonde::clock_properties slow{{}, {}, sonde::seconds{25ns}};   // needs 500 ns

} // namespace

TEST_CASE("a batch is 100 ticks of the clock long, or 20 times its bias, and a quarter more") {
    CHECK(batch_of(1ns, coarse) == 1250);
    CHECK(batch_of(1ns, slow) == 625);
    CHECK(batch_of(1ns, {{}, coarse.resolution, slow.bias}) == 1250);
    CHECK(batch_of(100ns, coarse) == 13); // 12.5
    CHECK(batch_of(1249ns, coarse) == 2);
    CHECK(batch_of(1250ns, coarse) == 1);
    CHECK(batch_of(1s, coarse) == 1);
}

TEST_CASE("a batch is found by the fastest of three: one disturbance does not shorten it") {
    for (std::size_t const disturbed : {0u, 1u, 2u}) {
        CAPTURE(disturbed);
        one_rank one;
        one.time.properties = coarse;
        bool disturb = false;
        auto const count = [&](auto&, std::size_t i) { disturb = i == disturbed; };
        auto const plan = one.plan(1).batch(by_timer).synchronized(count);
        auto const pattern = [&] { one.clock.advance(std::exchange(disturb, false) ? 10'000ns : 1ns); };
        CHECK(sonde::run(one.group, plan, pattern).batch == 1250);
    }
}

TEST_CASE("a sample of such a batch is not limited by the clock") {
    one_rank one;
    one.time.properties = coarse;
    auto const r = sonde::run(one.group, one.plan(3).batch(by_timer), [&] { one.clock.advance(7ns); });
    CHECK_FALSE(r.flags.timer_limited);
    CHECK(ns(r.series) == std::vector<long long>{7, 7, 7});
    CHECK(r.stop.samples == 3);
}

TEST_CASE("a clock of cost 0 needs no batch") { CHECK(batch_of(0ns, {}) == 1); }

TEST_CASE("without initiators a batch has one iteration") {
    one_rank one;
    one.time.properties = coarse;
    struct idle {
        void operator()() const {}
        sonde::role role() const { return role::idle; }
    };
    CHECK(sonde::run(one.group, one.plan(1).batch(by_timer), idle{}).batch == 1);
}

TEST_CASE("an operation that takes no time gets the largest batch") {
    CHECK(batch_of(0ns, coarse) == std::size_t{1} << 20);
}

TEST_CASE("a batch is equal on all ranks: for the slowest rank's time and the worst clock") {
    auto const all = on_ranks(3, {}, [](process& self) {
        auto group = self.group();
        struct timed {
            sonde::sim::manual_clock clock;
            sonde::clock_properties said;
            auto now() const { return clock.now(); }
            sonde::clock_properties properties() const { return said; }
        } const clock{self.clock(), {{}, sonde::seconds{10ns} * (self.rank() + 1), {}}};
        auto const plan = sonde::plan<>{}.batch(by_timer).until(sonde::samples{2}).timed_by(clock);
        return sonde::run(group, plan, [&] { self.work((3 - self.rank()) * 100ns); }).batch;
    });
    CHECK(all == std::vector<std::size_t>{13, 13, 13}); // 1.25 * 3000 ns of 300 ns each: 12.5
}

TEST_CASE("a batch of the plan stays") {
    one_rank one;
    one.time.properties = coarse;
    auto const r = sonde::run(one.group, one.plan(2).batch(by_timer).batch(5), [&] { one.clock.advance(1ns); });
    CHECK(r.batch == 5);
    CHECK(r.flags.timer_limited);
}
