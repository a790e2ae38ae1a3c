// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;
using sonde::samples;
using sonde::stop_reason;
using sonde::time_budget;

namespace {

/// Stops when a sample takes more than 5 us; notes its arguments.
struct stop_when_slow {
    std::vector<std::vector<long long>>* blocks;
    std::size_t next(std::size_t) const { return 2; }
    sonde::decision operator()(sonde::progress const& seen) const {
        blocks->push_back(ns(std::vector<sonde::seconds>{seen.block.begin(), seen.block.end()}));
        for (auto const t : seen.block)
            if (t > 5us) return {true, stop_reason::other};
        return {};
    }
};

} // namespace

TEST_CASE("rank 0's rule alone evaluates the slowest rank's times since its last evaluation") {
    auto const all = on_ranks(3, {}, [](process& self) {
        std::vector<std::vector<long long>> blocks;
        std::vector<std::vector<std::chrono::nanoseconds>> const work{
            {1us, 1us, 1us, 1us, 1us, 1us}, {2us, 3us, 2us, 2us, 2us, 8us}, {1us, 1us, 4us, 1us, 1us, 1us}};
        auto group = self.group();
        auto const plan = sonde::plan<>{}.warmup(0).until(stop_when_slow{&blocks}).timed_by(self.clock());
        auto mine = working{&self, role::initiator, work[static_cast<std::size_t>(self.rank())]};
        auto const r = sonde::run(group, plan, mine);
        CHECK(r.stop.samples == 6);
        CHECK(r.stop.reason == stop_reason::other);
        return blocks;
    });
    CHECK(all[0] == std::vector<std::vector<long long>>{{2000, 3000}, {4000, 2000}, {2000, 8000}});
    CHECK(all[1].empty());
    CHECK(all[2].empty());
}

namespace {

/// A clock that is too fast by a factor.
struct skewed {
    sonde::sim::manual_clock right;
    int factor;
    auto now() const { return right.now() * factor; }
    sonde::clock_properties properties() const { return {}; }
};

std::vector<sonde::stop_info> budget_with_clocks(std::vector<int> const& factors, auto rule) {
    return on_ranks(static_cast<int>(factors.size()), {}, [&](process& self) {
        auto group = self.group();
        skewed const clock{self.clock(), factors[static_cast<std::size_t>(self.rank())]};
        auto const plan = sonde::plan<>{}.warmup(0).until(rule).timed_by(clock);
        return sonde::run(group, plan, working{&self, role::initiator, {1us}}).stop;
    });
}

} // namespace

TEST_CASE("a budget is rank 0's time for any clocks of the others: all ranks end together") {
    for (auto const& stopped : budget_with_clocks({1, 0, 1'000'000, -5}, time_budget{10us})) {
        CHECK(stopped.samples == 11);
        CHECK(stopped.reason == stop_reason::time_budget);
    }
    for (auto const& stopped : budget_with_clocks({1000, 1, 0}, time_budget{10us})) CHECK(stopped.samples == 1);
    for (auto const& stopped : budget_with_clocks({0, 1000, 1000}, time_budget{10us} || samples{40})) {
        CHECK(stopped.samples == 40);
        CHECK(stopped.reason == stop_reason::samples);
    }
    for (auto const& stopped : budget_with_clocks({1, 0, 1000}, time_budget{10us} && samples{4})) {
        CHECK(stopped.samples == 11);
        CHECK(stopped.reason == stop_reason::time_budget);
    }
}

namespace {

/// Evaluated after a number of samples that differs between ranks.
struct own_pace {
    std::size_t step;
    std::size_t next(std::size_t n) const { return n == 0 ? 1 : step; }
    sonde::decision operator()(sonde::progress const&) const { return {}; }
};

} // namespace

TEST_CASE("rank 0 decides the number of samples until the next evaluation") {
    auto const all = on_ranks(3, {}, [](process& self) {
        auto group = self.group();
        auto const step = static_cast<std::size_t>(3 + self.rank());
        auto const plan = sonde::plan<>{}.until(own_pace{step} || time_budget{9us}).timed_by(self.clock()).warmup(0);
        return sonde::run(group, plan, working{&self, role::initiator, {1us}}).stop.samples;
    });
    CHECK(all == std::vector<std::size_t>{11, 11, 11});
}
