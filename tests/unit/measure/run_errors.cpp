// SPDX-License-Identifier: BSL-1.0
// Exceptions of a pattern on one rank, with and without `plan::agree_on_errors`.
#include "../../support.hpp"

#include <sonde/measure/compare.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;
using sonde::samples;
using sonde::stop_reason;
using sonde::time_budget;

namespace {

/// A ring of messages, whose iteration `fails_at` throws on a rank after its messages.
struct failing_ring {
    process* self;
    int failing_rank;
    std::size_t fails_at;
    std::size_t i = 0;

    void operator()() {
        auto const right = (self->rank() + 1) % self->size(), left = (self->rank() + self->size() - 1) % self->size();
        std::vector<std::byte> out(8), in(8);
        sonde::sim::link{*self, right}.send(out);
        sonde::sim::link{*self, left}.recv(in);
        if (i++ >= fails_at && self->rank() == failing_rank) throw std::domain_error{"the check failed"};
    }
};

/// What each rank caught, and how many iterations it made.
struct outcome {
    std::string message;
    std::size_t iterations;
    bool operator==(outcome const&) const = default;
};

template <class Measure>
std::vector<outcome> outcomes(int failing_rank, std::size_t fails_at, Measure measure) {
    return on_ranks(3, {}, [&](process& self) -> outcome {
        auto group = self.group();
        failing_ring ring{&self, failing_rank, fails_at};
        auto const plan = sonde::plan<>{}.warmup(2).until(sonde::samples{5}).timed_by(self.clock()).agree_on_errors();
        try {
            measure(group, plan, ring);
            return {"none", ring.i};
        } catch (std::domain_error const& e) {
            return {e.what(), ring.i};
        } catch (std::runtime_error const& e) {
            return {e.what(), ring.i};
        }
    });
}

auto const run_it = [](auto& group, auto plan, auto& ring) { static_cast<void>(sonde::run(group, plan, ring)); };
std::string const elsewhere = "sonde: an exception was thrown on rank ";

} // namespace

TEST_CASE("agreement on errors: an exception in a sample is thrown on all ranks after the block") {
    auto const found = outcomes(1, 4, run_it);
    CHECK(found == std::vector<outcome>{{elsewhere + "1", 7}, {"the check failed", 7}, {elsewhere + "1", 7}});
}

TEST_CASE("agreement on errors: an exception in the warm-up is thrown on all ranks before the first sample") {
    auto const found = outcomes(0, 1, run_it);
    CHECK(found == std::vector<outcome>{{"the check failed", 2}, {elsewhere + "0", 2}, {elsewhere + "0", 2}});
}

TEST_CASE("agreement on errors: a rank that fails goes on with the iterations of a batch") {
    auto const found = outcomes(
        2, 3, [](auto& group, auto plan, auto& ring) { static_cast<void>(sonde::run(group, plan.batch(4), ring)); });
    CHECK(found == std::vector<outcome>{{elsewhere + "2", 22}, {elsewhere + "2", 22}, {"the check failed", 22}});
}

TEST_CASE("agreement on errors: without an exception the record is that of a plan without agreement") {
    auto const found = outcomes(1, 1000, run_it);
    CHECK(found == std::vector<outcome>{{"none", 7}, {"none", 7}, {"none", 7}});
    auto const series = [](bool agrees) {
        return on_ranks(2, {}, [&](process& self) {
            auto group = self.group();
            auto const plan = sonde::plan<>{}.warmup(1).until(sonde::samples{4}).timed_by(self.clock());
            working work{&self, role::initiator, {2us, 5us, 3us}};
            auto const r = agrees ? sonde::run(group, plan.agree_on_errors(), work) : sonde::run(group, plan, work);
            return ns(r.series);
        });
    };
    CHECK(series(true) == series(false));
}

TEST_CASE("agreement on errors: compare throws on all ranks, too, whichever alternative fails") {
    auto const found = outcomes(1, 6, [](auto& group, auto plan, auto& ring) {
        static_cast<void>(sonde::compare(
            group, plan, [] {}, ring));
    });
    CHECK(found[0].message == elsewhere + "1");
    CHECK(found[1].message == "the check failed");
    CHECK(found[2].message == elsewhere + "1");
    CHECK(found[0].iterations == found[1].iterations);
}

TEST_CASE("agreement on errors: one reduction after the warm-up and one per block, and none without it") {
    auto const reductions = [](auto plan) {
        one_rank one;
        static_cast<void>(sonde::run(one.group, plan(one).until(sonde::samples{1} || sonde::time_budget{1s}), [] {}));
        return one.group.reductions;
    };
    auto const without = reductions([](one_rank& one) { return one.plan(1); });
    auto const with = reductions([](one_rank& one) { return one.plan(1).agree_on_errors(); });
    CHECK(with == without + 2);
}

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
