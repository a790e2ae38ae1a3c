// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/type_erasure.hpp>
#include <sonde/sync.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>

using namespace unit;

namespace {

using any = sonde::any_synchronizer<counting_group>;

/// Number of barriers in a warm-up of two iterations and three samples.
std::size_t barriers_of(any synchronize) {
    one_rank one;
    static_cast<void>(sonde::run(one.group, one.plan(3).warmup(2).synchronized(std::move(synchronize)), [] {}));
    return one.group.barriers;
}

} // namespace

TEST_CASE("any_synchronizer: a synchronizer chosen at run time does what the one that it holds does") {
    CHECK(barriers_of(sonde::no_sync{}) == 0);
    CHECK(barriers_of(sonde::barrier_once{}) == 2);
    CHECK(barriers_of(sonde::barrier_each{}) == 5);
    any chosen = sonde::no_sync{};
    CHECK(chosen.global_clock() == nullptr);
    auto const copy = chosen;
    chosen = sonde::barrier_each{};
    CHECK(barriers_of(copy) == 0);
    CHECK(barriers_of(chosen) == 5);
    CHECK(any{sonde::barrier_each{}}.parameters() != any{sonde::barrier_once{}}.parameters());
}

TEST_CASE_FIXTURE(one_rank, "any_synchronizer: a plan takes a synchronizer of another type") {
    auto chosen = plan(3).synchronized(any{sonde::barrier_once{}});
    chosen = chosen.synchronized(sonde::barrier_each{});
    static_cast<void>(sonde::run(group, chosen, [] {}));
    CHECK(group.barriers == 3);
}

TEST_CASE_FIXTURE(one_rank, "any_synchronizer: one that prepares an iteration allows no batch, and describes itself") {
    sonde::eviction evict{64};
    any const flushed = sonde::flushed_sync{sonde::barrier_each{}, &evict};
    CHECK_FALSE(flushed.allows_batches());
    CHECK_THROWS_AS(static_cast<void>(sonde::run(group, plan(1).synchronized(flushed).batch(2), [] {})),
                    std::invalid_argument);
    auto const r = sonde::run(group, plan(1).synchronized(flushed), [] {});
    REQUIRE(r.point.parameters.size() == 1);
    CHECK(r.point.parameters[0].text == "flushed");
}

namespace {

/// A synchronizer with a global clock that is 7 us ahead; the second sample begins late.
struct ahead {
    int starts = 0;

    void operator()(counting_group&, std::size_t) { ++starts; }
    ahead* global_clock() { return this; }
    bool on_time() const { return starts != 2; }
    sonde::seconds to_global(sonde::seconds t) const { return t + 7us; }
    void synchronize(counting_group&) {}
    sonde::clock_deviation measure_deviation(counting_group&) { return {2us, 3us}; }
};

} // namespace

TEST_CASE_FIXTURE(one_rank, "any_synchronizer: its global clock is the one of the synchronizer that it holds") {
    auto const work = [&] { clock.advance(4us); };
    auto const r = sonde::run(group, plan(3).synchronized(any{ahead{}}), work);
    REQUIRE(r.global);
    CHECK(r.global->late_samples == 1);
    CHECK(ns(r.global->series) == std::vector<long long>{4000, 4000, 4000});
    CHECK(ns(r.global->error_bound) == 3000);
    CHECK(ns(r.global->deviation) == 2000);
}

TEST_CASE_FIXTURE(one_rank, "rank samples are those of the series, without the late ones") {
    int calls = 0;
    auto const work = [&] { clock.advance(std::chrono::microseconds{++calls}); };
    auto const r = sonde::run(group, plan(3).synchronized(any{ahead{}}).keep({.rank_samples = true}), work);
    CHECK(r.global->late_samples == 1);
    CHECK(ns(r.series) == std::vector<long long>{1000, 3000, 4000});
    CHECK(r.rank_samples == r.series);
}

TEST_CASE_FIXTURE(one_rank, "any_synchronizer: prepared_sync refuses one that holds barrier_once") {
    auto const prepare = [] {};
    using erased = sonde::any_synchronizer<counting_group>;
    CHECK_THROWS_AS((sonde::prepared_sync{erased{sonde::barrier_once{}}, &prepare}), std::invalid_argument);
    CHECK_NOTHROW(sonde::prepared_sync{erased{sonde::barrier_each{}}, &prepare});
}
