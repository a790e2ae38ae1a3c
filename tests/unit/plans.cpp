// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

using namespace unit;

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
            sonde::run(group, plan_of(self.rank()).timed_by(clock), [] {});
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
