// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <sonde/compare.hpp>
#include <sonde/stop.hpp>
#include <sonde/sync.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;

namespace {

/// How often each line was written: all the same number, or -1.
int passes(sonde::eviction const& over) {
    auto const bytes = over.bytes();
    for (std::size_t at = 0; at < bytes.size(); at += 64)
        if (bytes[at] != bytes[0]) return -1;
    return std::to_integer<int>(bytes[0]);
}

/// Notes how often each line had been written when ranks were brought together.
struct noting {
    sonde::eviction const* over;
    std::vector<int>* seen;
    void operator()(auto&, std::size_t) const { seen->push_back(passes(*over)); }
};

/// Flushing that takes so long.
struct slow {
    sonde::sim::manual_clock clock;
    void operator()() const { clock.advance(20ms); }
};

/// The same, of a rank.
struct slow_rank {
    process* self;
    void operator()() const { self->work((1 + self->rank()) * 1ms); }
};

} // namespace

TEST_CASE_FIXTURE(alone,
                  "flushed: every line was written, once, before each synchronization, and each iteration finds that") {
    sonde::eviction lines{std::size_t{1} << 20};
    std::vector<int> at_synchronization, in_iteration;
    (void)sonde::run(group,
                     plan(3).warmup(2).synchronized(sonde::flushed_sync{noting{&lines, &at_synchronization}, &lines}),
                     [&] { in_iteration.push_back(passes(lines)); });
    CHECK(at_synchronization == std::vector<int>{1, 2, 3, 4, 5});
    CHECK(in_iteration == std::vector<int>{1, 2, 3, 4, 5});
}

TEST_CASE("an eviction is of two last-level caches, and writes their last line") {
    sonde::eviction const whole;
    CHECK(whole.bytes().size() == 2 * sonde::last_level_cache());
    sonde::eviction three{129};
    three();
    CHECK(passes(three) == 1);
    CHECK(three.bytes()[128] == std::byte{1});
}

TEST_CASE_FIXTURE(alone, "flushed: the time of flushing is in no sample and not in the first iteration's") {
    slow evict{clock};
    auto const r = sonde::run(group, plan(3).warmup(2).synchronized(sonde::flushed_sync{sonde::barrier_each{}, &evict}),
                              [&] { clock.advance(700ns); });
    CHECK(ns(r.series) == std::vector<long long>{700, 700, 700});
    CHECK(ns(r.first) == 700);
    CHECK(time.now == 5 * (20ms + 700ns));
    CHECK(group.barriers == 5);
}

TEST_CASE("flushed: no rank's flushing is in another's sample, however long it takes") {
    auto const series = on_ranks(2, {.latency = 1us}, [](process& self) {
        auto group = self.group();
        slow_rank evict{&self};
        auto const plan = sonde::plan<>{}
                              .until(sonde::samples{2})
                              .timed_by(self.clock())
                              .synchronized(sonde::flushed_sync{sonde::barrier_each{}, &evict});
        auto link = self.link(1 - self.rank());
        auto const who = self.rank() == 0 ? role::initiator : role::responder;
        return ns(sonde::run(group, plan, sonde::ping_pong{link, who, sonde::slice{}, sonde::slice{}}).series);
    });
    CHECK(series[0] == std::vector<long long>{2000, 2000});
}

TEST_CASE_FIXTURE(alone, "flushed: a batch of several iterations is refused, and one that the timer is to choose") {
    sonde::eviction lines{64};
    auto const cold = plan(1).synchronized(sonde::flushed_sync{sonde::no_sync{}, &lines});
    CHECK_THROWS_AS(sonde::run(group, cold.batch(2), [] {}), std::invalid_argument);
    CHECK_THROWS_AS(sonde::run(group, cold.batch(sonde::by_timer), [] {}), std::invalid_argument);
    CHECK(passes(lines) == 0);
    CHECK(sonde::run(group, cold.batch(1), [] {}).batch == 1);
}

TEST_CASE_FIXTURE(alone, "flushed by nothing: the synchronizer alone, and batches") {
    sonde::flushed_sync const as_before{sonde::barrier_each{}, static_cast<sonde::eviction*>(nullptr)};
    CHECK(sonde::run(group, plan(3).batch(4).synchronized(as_before), [] {}).batch == 4);
    CHECK(group.barriers == 3);
}

TEST_CASE_FIXTURE(alone,
                  "flushed: the record's point says so, whatever is around it, unless it says something of caches") {
    sonde::eviction lines{64};
    auto nothing = [] {};
    sonde::flushed_sync const cold{sonde::barrier_each{}, &lines};
    auto const told = [&](auto synchronizer, sonde::point at = {}) {
        return sonde::run(group, plan(1).synchronized(synchronizer), nothing, at).point.parameters;
    };
    CHECK(told(sonde::prepared_sync{cold, &nothing}).at(0).text == "flushed");
    CHECK(told(sonde::flushed_sync{cold, &lines}).size() == 1);
    CHECK(told(cold, {"", {{"cache", "emptied"}}}).size() == 1);
    CHECK(told(sonde::prepared_sync{sonde::barrier_each{}, &nothing}).empty());
    CHECK(told(sonde::flushed_sync{sonde::barrier_each{}, static_cast<sonde::eviction*>(nullptr)}).empty());
    for (auto const& r : sonde::compare(group, plan(1).synchronized(cold), nothing, nothing).records)
        CHECK(r.point.parameters.at(0).text == "flushed");
}

TEST_CASE_FIXTURE(alone, "the policy is a parameter of the record's point") {
    auto const usual = plan(1);
    auto const exchange = [] {};
    sonde::eviction evict; // outlives the plan
    auto const cold = usual.synchronized(sonde::flushed_sync{sonde::barrier_each{}, &evict});
    auto const r = sonde::run(group, cold, exchange, {"exchange", {{"bytes", 8}}}); // and "cache", "flushed"
    REQUIRE(r.point.parameters.size() == 2);
    CHECK(r.point.parameters[1].name == "cache");
    CHECK(r.point.parameters[1].text == "flushed");
    CHECK(passes(evict) == 1);
    CHECK(cache_parameter(sonde::cache::warm).text == "warm");
    CHECK(cache_parameter(sonde::cache::rotate).text == "rotating");
}
