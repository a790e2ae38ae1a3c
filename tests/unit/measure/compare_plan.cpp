// SPDX-License-Identifier: BSL-1.0
// Settings of a plan other than the rule: a batch by the clock, a warm-up until stable, a global clock.
#include "../../support.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/stop/precision.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

using namespace unit;

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

// Arguments of a comparison's rule, evaluation by evaluation.

namespace {

struct evaluation {
    std::vector<double> block, series;
    std::size_t samples;
    double resolution;
};

/// A rule with another schedule than the library's: after 2, 4, 6 .. rounds. It stops after `enough` rounds.
struct recording_rule {
    std::size_t enough;
    std::vector<evaluation>* all;

    std::size_t next(std::size_t) const { return 2; }
    sonde::decision operator()(sonde::progress const& l) {
        auto& one = all->emplace_back(evaluation{{}, {}, l.samples, l.resolution.count()});
        for (auto const t : l.block) one.block.push_back(t.count());
        for (auto const t : l.series) one.series.push_back(t.count());
        return {l.samples >= enough, sonde::stop_reason::other};
    }
};

using ratios = std::vector<double>;

/// Alternatives with these times since the previous evaluation.
std::vector<sonde::detail::measurement> with_blocks(std::vector<std::vector<sonde::seconds>> const& blocks) {
    std::vector<sonde::detail::measurement> measured(blocks.size());
    for (std::size_t i = 0; i != blocks.size(); ++i) measured[i].block.slowest = blocks[i];
    return measured;
}

/// 3 evaluations, each after 2 rounds, of which 3 are kept.
std::vector<evaluation> evaluations_of(std::vector<std::vector<sonde::seconds>> const& blocks,
                                       sonde::seconds resolution) {
    std::vector<evaluation> all;
    auto measured = with_blocks(blocks);
    sonde::detail::rule_per_alternative rule{recording_rule{6, &all}, measured, 3};
    for (std::size_t n = 2; n <= 6; n += 2) {
        for (auto& one : measured) // as `add_block` does
            for (auto const t : one.block.slowest)
                if (one.found.series.size() != 3) one.found.series.push_back(t);
        CHECK(rule(sonde::progress{{}, {}, {}, n, resolution}).stop == (n == 6));
        for (auto& t : measured.front().block.slowest) t *= 2;
    }
    return all;
}

} // namespace

TEST_CASE("after the records of a comparison are full, a rule evaluates the rounds that they hold") {
    one_rank a;
    std::vector<evaluation> all;
    auto const base = [&] { a.clock.advance(4us); };
    auto const other = [&] { a.clock.advance(2us); };
    auto const found =
        sonde::compare(a.group, a.plan(1).keep({.samples = 3}).until(recording_rule{6, &all}), base, other);
    REQUIRE(all.size() == 3);
    CHECK(all[2].series == ratios(found.records[0].series.size(), 2));
    CHECK(all[2].series.size() == 3);
    CHECK(all[2].block == ratios{2, 2});
    CHECK(all[2].samples == 6);
}

TEST_CASE("kept ratios are limited by the records' capacity; a block has all new ones, and all rounds are counted") {
    auto const all = evaluations_of({{sonde::seconds{1}, sonde::seconds{2}}, {sonde::seconds{1}, sonde::seconds{1}}},
                                    sonde::seconds{0.5});
    REQUIRE(all.size() == 3);
    CHECK(all[1].block == ratios{2, 4});
    CHECK(all[1].series == ratios{1, 2, 2});
    CHECK(all[2].block == ratios{4, 8});
    CHECK(all[2].series == ratios{1, 2, 2});
    CHECK(all[2].samples == 6);
    CHECK(all[2].resolution == 1.5); // by the medians: 0.5 of 2, and 0.5 of 1, of a ratio of 2
}

TEST_CASE("a latest round that was preempted does not make the ratios coarse") {
    one_rank a;
    a.time.properties.resolution = 10ns;
    std::vector<evaluation> all;
    int i = 0;
    auto const base = [&] { a.clock.advance(i++ == 3 ? 8ms : 1us); };
    auto const other = [&] { a.clock.advance(1us); };
    (void)sonde::compare(a.group, a.plan(1).until(recording_rule{4, &all}), base, other);
    REQUIRE(all.size() == 2);
    CHECK(all[1].block[1] > 7999);
    CHECK(all[1].resolution == all[0].resolution); // 1 % of each time
}

TEST_CASE("for a base alone a rule evaluates the times, kept alike, and their clock resolution") {
    auto const all = evaluations_of({{sonde::seconds{1}, sonde::seconds{2}}}, sonde::seconds{0.5});
    REQUIRE(all.size() == 3);
    CHECK(all[2].block == ratios{4, 8});
    CHECK(all[2].series == ratios{1, 2, 2});
    CHECK(all[2].resolution == 0.5);
}

TEST_CASE("a precision that the kept rounds do not reach ends a comparison when the records are full") {
    std::vector<std::vector<sonde::seconds>> blocks(2);
    for (int i = 0; i != 30; ++i) {
        blocks[0].emplace_back(i % 3 == 0 ? 1.0 : 2.0);
        blocks[1].emplace_back(1);
    }
    auto measured = with_blocks(blocks);
    for (auto& one : measured) one.found.series = one.block.slowest;
    sonde::detail::rule_per_alternative rule{sonde::relative_error{0.01}, measured, 30};
    CHECK_FALSE(rule(sonde::progress{{}, {}, {}, 30, {}}).stop);
    auto const second = rule(sonde::progress{{}, {}, {}, 60, {}});
    CHECK(second.stop);
    CHECK(second.reason == sonde::stop_reason::samples);
}
