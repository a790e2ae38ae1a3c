// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/stop.hpp>
#include <sonde/sync.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;

namespace {

/// The number of times that each line was written, if equal for all, or -1.
int passes(sonde::eviction const& over) {
    auto const bytes = over.bytes();
    for (std::size_t at = 0; at < bytes.size(); at += 64)
        if (bytes[at] != bytes[0]) return -1;
    return std::to_integer<int>(bytes[0]);
}

/// Notes the number of writes of each line at each synchronization.
struct recording_sync {
    sonde::eviction const* over;
    std::vector<int>* seen;
    void operator()(auto&, std::size_t) const { seen->push_back(passes(*over)); }
};

/// A flush of a fixed duration.
struct slow {
    sonde::sim::manual_clock clock;
    void operator()() const { clock.advance(20ms); }
};

/// A flush on a simulated rank, longer on higher ranks.
struct slow_rank {
    process* self;
    void operator()() const { self->work((1 + self->rank()) * 1ms); }
};

} // namespace

TEST_CASE_FIXTURE(
    one_rank, "flushed_sync: every line is written once before each synchronization, and each iteration finds that") {
    sonde::eviction lines{std::size_t{1} << 20};
    std::vector<int> at_synchronization, in_iteration;
    (void)sonde::run(
        group, plan(3).warmup(2).synchronized(sonde::flushed_sync{recording_sync{&lines, &at_synchronization}, &lines}),
        [&] { in_iteration.push_back(passes(lines)); });
    CHECK(at_synchronization == std::vector<int>{1, 2, 3, 4, 5});
    CHECK(in_iteration == std::vector<int>{1, 2, 3, 4, 5});
}

TEST_CASE("an eviction covers two last-level caches, and writes their last line") {
    sonde::eviction const whole;
    CHECK(whole.bytes().size() == 2 * sonde::last_level_cache());
    sonde::eviction three{129};
    three();
    CHECK(passes(three) == 1);
    CHECK(three.bytes()[128] == std::byte{1});
}

TEST_CASE_FIXTURE(one_rank, "flushed_sync: the time of flushing is in no sample and not in the first iteration's") {
    slow evict{clock};
    auto const r = sonde::run(group, plan(3).warmup(2).synchronized(sonde::flushed_sync{sonde::barrier_each{}, &evict}),
                              [&] { clock.advance(700ns); });
    CHECK(ns(r.series) == std::vector<long long>{700, 700, 700});
    CHECK(ns(r.first) == 700);
    CHECK(time.now == 5 * (20ms + 700ns));
    CHECK(group.barriers == 5);
}

TEST_CASE("flushed_sync: no rank's flushing is in another's sample, for any duration") {
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

TEST_CASE_FIXTURE(one_rank, "flushed_sync: a batch of several iterations is refused, and batch(by_timer)") {
    sonde::eviction lines{64};
    auto const cold = plan(1).synchronized(sonde::flushed_sync{sonde::no_sync{}, &lines});
    CHECK_THROWS_AS(sonde::run(group, cold.batch(2), [] {}), std::invalid_argument);
    CHECK_THROWS_AS(sonde::run(group, cold.batch(sonde::by_timer), [] {}), std::invalid_argument);
    CHECK(passes(lines) == 0);
    CHECK(sonde::run(group, cold.batch(1), [] {}).batch == 1);
}

TEST_CASE_FIXTURE(one_rank, "flushed_sync without a cache: the synchronizer alone, and batches") {
    sonde::flushed_sync const as_before{sonde::barrier_each{}, static_cast<sonde::eviction*>(nullptr)};
    CHECK(sonde::run(group, plan(3).batch(4).synchronized(as_before), [] {}).batch == 4);
    CHECK(group.barriers == 3);
}

TEST_CASE_FIXTURE(
    one_rank, "flushed_sync: the record's point has the cache parameter below any adaptor, unless it has one already") {
    sonde::eviction lines{64};
    auto nothing = [] {};
    sonde::flushed_sync const cold{sonde::barrier_each{}, &lines};
    auto const parameters_of = [&](auto synchronizer, sonde::point at = {}) {
        return sonde::run(group, plan(1).synchronized(synchronizer), nothing, at).point.parameters;
    };
    CHECK(parameters_of(sonde::prepared_sync{cold, &nothing}).at(0).text == "flushed");
    CHECK(parameters_of(sonde::flushed_sync{cold, &lines}).size() == 1);
    CHECK(parameters_of(cold, {"", {{"cache", "emptied"}}}).size() == 1);
    CHECK(parameters_of(sonde::prepared_sync{sonde::barrier_each{}, &nothing}).empty());
    CHECK(parameters_of(sonde::flushed_sync{sonde::barrier_each{}, static_cast<sonde::eviction*>(nullptr)}).empty());
    for (auto const& r : sonde::compare(group, plan(1).synchronized(cold), nothing, nothing).records)
        CHECK(r.point.parameters.at(0).text == "flushed");
}

TEST_CASE_FIXTURE(one_rank, "the cache policy is a parameter of the record's point") {
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
