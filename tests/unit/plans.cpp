// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

using namespace unit;

TEST_CASE_FIXTURE(alone, "a plan that nobody changed has 10 iterations of warm-up, then 100 samples of one") {
    int calls = 0;
    auto const r = sonde::run(group, sonde::plan<>{}.timed_by(clock), [&] { ++calls; });
    CHECK(calls == 110);
    CHECK(r.series.size() == 100);
    CHECK(r.batch == 1);
    CHECK(group.barriers == 2);
}

TEST_CASE_FIXTURE(alone, "a setter changes its own thing and keeps the others, in any order") {
    auto const changed = sonde::plan<>{}
                             .warmup(3)
                             .batch(4)
                             .until(sonde::samples{5})
                             .synchronized(sonde::barrier_each{})
                             .timed_by(clock)
                             .until(sonde::samples{6})
                             .synchronized(sonde::barrier_once{});
    int calls = 0;
    (void)sonde::run(group, changed, [&] { ++calls; });
    CHECK(calls == 3 + 6 * 4);
    CHECK(group.barriers == 2);
    CHECK(time.reads == 2 + 6 * 2);
}

TEST_CASE_FIXTURE(alone, "a record carries the point it was made for") {
    auto const r = sonde::run(group, plan(1), [] {}, {"halo", {{"bytes", 8}, {"way", "columns"}}});
    CHECK(r.at.name == "halo");
    REQUIRE(r.at.parameters.size() == 2);
    CHECK(r.at.parameters[0].name == "bytes");
    CHECK(r.at.parameters[0].text == "8");
    CHECK(r.at.parameters[0].number == 8.0);
    CHECK(r.at.parameters[1].text == "columns");
    CHECK_FALSE(r.at.parameters[1].number.has_value());
    CHECK_FALSE(r.errors.has_value());
}

TEST_CASE_FIXTURE(alone, "a batch of no iteration is refused before the clock is read") {
    CHECK_THROWS_AS(sonde::run(group, plan(1).batch(0), [] {}), std::invalid_argument);
    CHECK(time.reads == 0);
}

TEST_CASE_FIXTURE(alone, "a rule that allows no sample is refused before the clock is read") {
    CHECK_THROWS_AS(sonde::run(group, plan(0), [] {}), std::invalid_argument);
    CHECK_THROWS_AS(sonde::run(group, plan(1).until(sonde::samples{0} || sonde::time_budget{1s}), [] {}),
                    std::invalid_argument);
    CHECK(time.reads == 0);
}

namespace {

struct outcome {
    bool refused = false;
    std::size_t reads = 0;
};

/// What comes of it when `plan_of(rank)` differs between three ranks.
template <class PlanOf>
std::vector<outcome> outcomes(PlanOf plan_of) {
    return on_ranks(3, {}, [&](process& self) {
        auto group = self.group();
        auto const clock = self.clock();
        try {
            (void)sonde::run(group, plan_of(self.rank()).timed_by(clock), [] {});
        } catch (std::invalid_argument const&) {
            return outcome{true, clock.reads()};
        }
        return outcome{false, clock.reads()};
    });
}

void check_refused_everywhere(std::vector<outcome> const& all) {
    for (auto const& one : all) {
        CHECK(one.refused);
        CHECK(one.reads == 0);
    }
}

std::size_t size(int rank) { return static_cast<std::size_t>(rank); }

} // namespace

TEST_CASE("ranks with different warm-ups all throw before a clock is read") {
    check_refused_everywhere(outcomes([](int rank) { return sonde::plan<>{}.warmup(rank == 2 ? 4 : 5); }));
}

TEST_CASE("ranks with different batches all throw before a clock is read") {
    check_refused_everywhere(outcomes([](int rank) { return sonde::plan<>{}.batch(1 + size(rank)); }));
}

TEST_CASE("ranks with different numbers of samples all throw before a clock is read") {
    check_refused_everywhere(outcomes([](int rank) { return sonde::plan<>{}.until(sonde::samples{9 - size(rank)}); }));
}

TEST_CASE("a plan that is void on one rank only throws on all: none waits for the other") {
    check_refused_everywhere(outcomes([](int rank) { return sonde::plan<>{}.batch(rank == 1 ? 0 : 1); }));
    check_refused_everywhere(outcomes([](int rank) { return sonde::plan<>{}.until(sonde::samples{size(rank)}); }));
}

TEST_CASE("ranks with equal plans are not refused") {
    for (auto const& one : outcomes([](int) { return sonde::plan<>{}.warmup(3).batch(2); })) CHECK_FALSE(one.refused);
}
