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

TEST_CASE("ranks whose plans differ in the agreement are refused before the clock runs") {
    on_ranks(2, {}, [](process& self) {
        auto group = self.group();
        auto const plan = sonde::plan<>{}.timed_by(self.clock());
        auto const measure = [&](auto const& p) { static_cast<void>(sonde::run(group, p, [] {})); };
        auto const differ = "sonde::run: the plan must be equal on all ranks; these parts differ: agreement on errors";
        if (self.rank() == 0) CHECK_THROWS_WITH_AS(measure(plan), differ, std::invalid_argument);
        else CHECK_THROWS_WITH_AS(measure(plan.agree_on_errors()), differ, std::invalid_argument);
        return 0;
    });
}
