// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/compare.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

using namespace unit;

// Settings of a plan other than the rule: a batch by the clock, a warm-up until stable, a global clock.

namespace {

/// A global clock that is every rank's own; samples with these numbers, in the order of sampling, begin late.
struct late_at {
    std::set<std::size_t> late;
    int* begun;
    std::size_t samples = 0;
    bool in_time = true;

    void operator()(auto& group, std::size_t) {
        group.barrier();
        in_time = late.count(samples++) == 0;
    }
    late_at* global_clock() { return this; }
    bool on_time() const { return in_time; }
    sonde::seconds to_global(sonde::seconds t) const { return t; }
    void synchronize(auto&) const { ++*begun; }
    sonde::clock_deviation measure_deviation(auto&) const { return {7ns, 3ns}; }
};

/// One alternative's work on a rank.
struct alternative {
    process* self;
    std::chrono::nanoseconds takes;
    sonde::role who = sonde::role::initiator;

    void operator()() const { self->work(takes); }
    sonde::role role() const { return who; }
};

} // namespace

TEST_CASE("a comparison's batch is the largest that an alternative needs") {
    one_rank a;
    a.time.properties.resolution = 10ns; // a sample takes at least 1250 ns
    auto const slow = [&] { a.clock.advance(500ns); };
    auto const quick = [&] { a.clock.advance(100ns); };
    auto const found = sonde::compare(a.group, a.plan(4).batch(sonde::by_timer), slow, quick, slow);
    for (auto const& r : found.records) CHECK(r.batch == 13);
    CHECK(ns(found.records[1].series).front() == 100);
    CHECK_FALSE(found.records[1].flags.timer_limited);
}

TEST_CASE("each alternative is warmed up until it is stable") {
    one_rank a;
    int quick_ones = 0, slow_ones = 0;
    auto const steady = [&] { ++quick_ones, a.clock.advance(1us); };
    auto const stabilizing = [&] { a.clock.advance(slow_ones++ < 20 ? 100us : 1us); };
    auto const found = sonde::compare(a.group, a.plan(2).warmup(sonde::until_stable{.max_time = sonde::seconds{1}}),
                                      steady, stabilizing);
    CHECK(ns(found.records[1].series) == std::vector<long long>{1000, 1000});
    CHECK(ns(found.records[1].first) == 100'000);
    CHECK(slow_ones > quick_ones);
}

TEST_CASE("a round in which a rank begins too late counts for no alternative, also if the rank is idle in one") {
    int begun[3]{};
    auto const all = on_ranks(3, {}, [&](process& self) {
        auto group = self.group();
        auto const rank = static_cast<std::size_t>(self.rank());
        // The samples of rounds 1 and 2: one of each alternative.
        auto const late = rank == 2 ? std::set<std::size_t>{2, 3, 5} : std::set<std::size_t>{};
        auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{4}).timed_by(self.clock());
        alternative const base{&self, 2us}, other{&self, 1us, rank == 2 ? role::idle : role::initiator};
        return sonde::compare(group, plan.synchronized(late_at{late, &begun[rank]}), base, other);
    });
    for (auto const& found : all)
        for (std::size_t i = 0; i != 2; ++i) {
            auto const& r = found.records[i];
            CHECK(ns(r.series) == std::vector<long long>(4, i == 0 ? 2000 : 1000));
            CHECK(r.stop.samples == 4);
            REQUIRE(r.global.has_value());
            CHECK(r.global->late_samples == 2);
            CHECK(ns(r.global->series) == ns(r.series));
            CHECK(ns(r.global->deviation) == 7);
            CHECK(ns(r.global->error_bound) == 3);
        }
    for (auto const times : begun) CHECK(times == 1);
}

TEST_CASE("each record has its own slowest ranks") {
    auto const all = on_ranks(2, {}, [](process& self) {
        auto group = self.group();
        auto const plan = sonde::plan<>{}.warmup(1).until(sonde::samples{6}).timed_by(self.clock());
        auto const one = 1us * self.rank();
        return sonde::compare(group, plan, alternative{&self, 5us + one}, alternative{&self, 5us - one});
    });
    CHECK(all.front().records[0].slowest_counts == std::vector<std::size_t>{0, 6});
    CHECK(all.front().records[1].slowest_counts == std::vector<std::size_t>{6, 0});
}

TEST_CASE(
    "a batch that was found in a disturbed moment is chosen again for the quickest alternative, and all begin anew") {
    one_rank a;
    a.time.properties.resolution = 10ns; // a sample takes at least 1250 ns
    int done = 0;
    auto const taking = [&](std::chrono::nanoseconds time) {
        return [&a, &done, time] { a.clock.advance(done++ < 6 ? 10us : time); }; // three tries of each are preempted
    };
    auto const found = sonde::compare(a.group, a.plan(20).batch(sonde::by_timer), taking(100ns), taking(10ns));
    for (auto const& r : found.records) {
        CHECK(r.batch == 125);
        CHECK(r.stop.samples == 20);
        CHECK(r.series.size() == 20);
        CHECK(ns(r.first) == 10'000);
    }
    CHECK(ns(found.records[0].series[0]) == 100);
    CHECK(done == 6 + 40 + 40 * 125);
}
