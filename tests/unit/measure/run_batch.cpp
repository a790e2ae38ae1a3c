// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <string>
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

TEST_CASE("samples show another batch only if the median is shorter than the clock needs, or all are twice as long") {
    auto const right = [](std::chrono::nanoseconds iteration, std::size_t batch) {
        sonde::detail::measurement one;
        one.least_sample = 1250ns; // 1000 ns, and the margin
        one.found.series.assign(20, iteration);
        return sonde::detail::batch_by_samples({&one, 1}, batch);
    };
    CHECK(right(101ns, 10) == 10); // within the margin
    CHECK(right(99ns, 10) == 13);
    CHECK(right(250ns, 10) == 10);
    CHECK(right(251ns, 10) == 5);
    CHECK(right(5000ns, 1) == 1);
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

namespace {

/// A pattern whose iterations take the time of the first range that has them, by the number of iterations before.
struct changing {
    one_rank* one;
    std::vector<std::pair<std::size_t, sonde::sim::picoseconds>> ranges; // the first iteration beyond, and the time
    std::size_t done = 0;
    std::string log{}; // of the hooks

    void operator()() {
        std::size_t i = 0;
        while (i + 1 != ranges.size() && done >= ranges[i].first) ++i;
        one->clock.advance(ranges[i].second);
        ++done;
    }
    void after_warmup() { log += 'w'; }
    void after_sample(auto const&, auto const&) { log += 's'; }
};

constexpr std::size_t later = std::numeric_limits<std::size_t>::max();

} // namespace

TEST_CASE("a batch that was found in a disturbed moment is chosen again by the first samples, which are discarded") {
    one_rank one;
    one.time.properties = coarse;
    changing pattern{&one, {{3, 10us}, {later, 1ns}}}; // all three tries are preempted: a batch of 1
    auto const r = sonde::run(one.group, one.plan(20).batch(by_timer), pattern);
    CHECK(r.batch == 1250);
    CHECK(r.stop.samples == 20);
    CHECK(ns(r.series) == std::vector<long long>(20, 1));
    CHECK(ns(r.over_ranks.mean) == 1);
    CHECK(ns(r.first) == 10'000);
    CHECK_FALSE(r.flags.timer_limited);
    CHECK(pattern.done == 3 + 20 + 20 * 1250);
    CHECK(pattern.log == "w" + std::string(20, 's') + "w" + std::string(20, 's'));
}

TEST_CASE("a series that ends with six samples shows another batch, one of five does not") {
    for (std::size_t const n : {5u, 6u}) {
        one_rank one;
        one.time.properties = coarse;
        changing pattern{&one, {{3, 10us}, {later, 1ns}}};
        CHECK(sonde::run(one.group, one.plan(n).batch(by_timer), pattern).batch == (n == 5 ? 1 : 1250));
    }
}

TEST_CASE("a batch that is too long by nearly all samples is chosen again, one of disturbed samples is not") {
    one_rank one;
    one.time.properties = coarse;
    auto const batch_of_samples = [&](sonde::sim::picoseconds longer, std::size_t slow_samples) {
        constexpr std::size_t tries = 3 * 4095; // of 1, 2, 4 .. 2048 iterations
        changing pattern{&one, {{tries, 1ns}, {tries + 1250 * slow_samples, longer}, {later, 1ns}}};
        return sonde::run(one.group, one.plan(20).batch(by_timer), pattern).batch;
    };
    CHECK(batch_of_samples(100ns, 1000) == 13);
    CHECK(batch_of_samples(100ns, 17) == 1250);
    CHECK(batch_of_samples(sonde::sim::picoseconds{1990}, 1000) == 1250); // not more than twice as long
}

TEST_CASE("a batch is compared with the first 1024 samples only") {
    struct in_blocks {
        std::size_t next(std::size_t) const { return 256; }
        sonde::decision operator()(sonde::progress const& seen) const { return {seen.samples >= 3072}; }
    };
    one_rank one;
    one.time.properties = coarse;
    changing pattern{&one, {{3 * 4095 + 1250 * 1024, 1ns}, {later, sonde::sim::picoseconds{100}}}};
    auto const r = sonde::run(one.group, one.plan(1).batch(by_timer).until(in_blocks{}), pattern);
    CHECK(r.batch == 1250);
    CHECK(r.stop.samples == 3072);
}

TEST_CASE("a batch is chosen again three times at most; then the record is flagged") {
    one_rank one;
    one.time.properties = coarse;
    auto const n = std::size_t{16};
    using sonde::sim::picoseconds;
    changing pattern{&one,
                     {{3, 10us},
                      {3 + n, 1ns},
                      {3 + n + 1250 * n, picoseconds{100}},
                      {3 + n + 13'750 * n, picoseconds{10}},
                      {later, picoseconds{1}}}};
    auto const r = sonde::run(one.group, one.plan(n).batch(by_timer), pattern);
    CHECK(r.batch == 125'000);
    CHECK(r.stop.samples == n);
    CHECK(r.flags.timer_limited);
    CHECK(pattern.done == 3 + n * (1 + 1250 + 12'500 + 125'000));
}

TEST_CASE("a rule begins anew with the batch: its samples, its state and its time") {
    one_rank one;
    one.time.properties = coarse;
    changing pattern{&one, {{3, 10us}, {later, 1ns}}};
    auto const rule = sonde::relative_error{0.01} || sonde::time_budget{100us};
    auto const r = sonde::run(one.group, one.plan(1).batch(by_timer).until(rule), pattern);
    CHECK(r.batch == 1250);
    CHECK(r.stop.reason == sonde::stop_reason::precision);
    CHECK(r.stop.samples == 47);
    CHECK(r.series.size() == 47);
}

TEST_CASE("a batch is chosen again on all ranks, for the slowest one's samples") {
    auto const all = on_ranks(3, {}, [](process& self) {
        auto group = self.group();
        struct timed {
            sonde::sim::manual_clock clock;
            auto now() const { return clock.now(); }
            sonde::clock_properties properties() const { return coarse; }
        } const clock{self.clock()};
        std::size_t done = 0;
        auto const pattern = [&] { self.work(done++ < 3 && self.rank() == 1 ? 10us : 100ns * (1 + self.rank())); };
        auto const plan = sonde::plan<>{}.warmup(0).batch(by_timer).until(sonde::samples{20}).timed_by(clock);
        return sonde::run(group, plan, pattern).batch;
    });
    CHECK(all == std::vector<std::size_t>(3, 5)); // 1250 ns of 300 ns each: 4.2
}
