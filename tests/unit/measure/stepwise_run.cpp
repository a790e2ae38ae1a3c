// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/stepwise_run.hpp>

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;
using sonde::samples;
using sonde::time_budget;

namespace {

/// Work that differs between ranks and iterations.
working uneven(process& self) {
    std::vector<std::chrono::nanoseconds> work;
    for (int i = 0; i != 7; ++i) work.emplace_back(1000 + 100 * ((i * 5 + self.rank() * 3) % 7));
    return {&self, self.rank() == 1 ? role::responder : role::initiator, work, {8, 2, 2.0, 1.0, 1}};
}

void take_all(auto& steps, auto& clock, auto& pattern) {
    for (auto step = steps.next(); step.samples != 0; step = steps.next())
        for (std::size_t i = 0; i != step.samples; ++i) {
            steps.synchronize();
            auto const begin = clock.now();
            for (std::size_t k = 0; k != step.batch; ++k) pattern();
            steps.add(begin, clock.now());
        }
}

/// A global clock of ranks whose clocks are equal; every fifth sample is late.
struct shared_time {
    std::size_t sample = 0;

    void operator()(auto& group, std::size_t i) {
        group.barrier();
        sample = i;
    }
    shared_time* global_clock() { return this; }
    void synchronize(auto&) const {}
    bool on_time() const { return sample % 5 != 2; }
    sonde::seconds to_global(sonde::seconds t) const { return t; }
    sonde::clock_deviation measure_deviation(auto&) const { return {}; }
};

/// All members of a record that a run determines, as text.
std::string text_of(sonde::record const& r) {
    auto text = r.point.name + ' ' + std::to_string(r.batch) + ' ' + std::to_string(r.total.bytes) + ' ' +
                std::to_string(r.initiators) + ' ' + (r.first ? std::to_string(ns(r.first)) : "-") + ' ' +
                sonde::to_string(r.stop.reason) + ' ' + std::to_string(r.stop.samples) + ' ' +
                sonde::to_string(r.flags);
    for (auto const t : r.series) text += ' ' + std::to_string(ns(t));
    for (auto const t : r.rank_means) text += ' ' + std::to_string(ns(t));
    for (auto const n : r.slowest_counts.value_or(std::vector<std::size_t>{})) text += ' ' + std::to_string(n);
    for (auto const t : {r.over_ranks.min, r.over_ranks.mean, r.over_ranks.max}) text += ' ' + std::to_string(ns(t));
    if (!r.global) return text;
    text += ' ' + std::to_string(r.global->late_samples);
    for (auto const t : r.global->series) text += ' ' + std::to_string(ns(t));
    return text;
}

/// The records of a run and of a stepwise run by the same plan in equal worlds.
auto both(auto plan_of) {
    return on_ranks(3, {}, [&](process& self) {
        auto group = self.group();
        auto clock = self.clock();
        auto const plan = plan_of().timed_by(clock).keep({.rank_means = true}).agree_on_errors();
        auto of_run = uneven(self), of_steps = uneven(self);
        auto const whole = text_of(sonde::run(group, plan, of_run, {"halo"}));
        sonde::stepwise_run steps{group, plan, {"halo"}, of_steps.traffic(), of_steps.role()};
        take_all(steps, clock, of_steps);
        CHECK(of_run.i == of_steps.i);
        return std::array{whole, text_of(steps.finish())};
    });
}

void check_equal(auto plan_of) {
    for (auto const& [run, steps] : both(plan_of)) CHECK(run == steps);
}

} // namespace

TEST_CASE("a stepwise run measures what a run measures") {
    check_equal([] { return sonde::plan<>{}; });
    check_equal([] { return sonde::plan<>{}.warmup(0).batch(3).until(samples{5}); });
    check_equal([] { return sonde::plan<>{}.warmup(2).until(time_budget{100us}).synchronized(sonde::barrier_each{}); });
    check_equal([] { return sonde::plan<>{}.warmup(sonde::until_stable{0.5, 1ms}); });
    check_equal([] {
        return sonde::plan<>{}.warmup(sonde::until_stable{0, 50us}).until(samples{400} || sonde::relative_error{0.2});
    });
    check_equal([] { return sonde::plan<>{}.warmup(1).batch(sonde::by_timer).until(samples{4}); });
    check_equal([] { return sonde::plan<>{}.warmup(3).synchronized(shared_time{}); });
}

TEST_CASE("the synchronizer of a stepwise run counts as that of a run") {
    one_rank of_run, of_steps;
    std::vector<std::size_t> in_run, in_steps;
    auto const plan_of = [](one_rank& one, std::vector<std::size_t>& seen) {
        one.time.properties = {.resolution = 100ns};
        auto const synchronize = [&seen](auto&, std::size_t i) { seen.push_back(i); };
        auto const plan = one.plan(1).warmup(sonde::until_stable{}).batch(sonde::by_timer).until(time_budget{200us});
        return plan.synchronized(synchronize).agree_on_errors();
    };
    static_cast<void>(sonde::run(of_run.group, plan_of(of_run, in_run), [&] { of_run.clock.advance(300ns); }));
    sonde::stepwise_run steps{of_steps.group, plan_of(of_steps, in_steps), {}};
    auto iterate = [&] { of_steps.clock.advance(300ns); };
    take_all(steps, of_steps.clock, iterate);
    CHECK(in_steps == in_run);
    CHECK(in_steps.back() > 5); // in several blocks
}

TEST_CASE("a batch that was found in a disturbed moment is chosen again in a stepwise run as in a run") {
    one_rank of_run, of_steps;
    for (auto* one : {&of_run, &of_steps}) one->time.properties = {.resolution = 100ns};
    auto const plan_of = [](one_rank const& one) { return one.plan(20).batch(sonde::by_timer).agree_on_errors(); };
    auto const pattern_of = [](one_rank& one) {
        return [&one, done = 0]() mutable { one.clock.advance(done++ < 3 ? 1ms : 300ns); };
    };
    auto const run = sonde::run(of_run.group, plan_of(of_run), pattern_of(of_run), {"halo"});
    sonde::stepwise_run steps{of_steps.group, plan_of(of_steps), {"halo"}};
    auto iterate = pattern_of(of_steps);
    take_all(steps, of_steps.clock, iterate);
    auto const found = steps.finish();
    CHECK(run.batch == 42);
    CHECK(ns(run.first) == 1'000'000);
    CHECK(text_of(found) == text_of(run));
    CHECK(of_steps.time.now == of_run.time.now);
}

TEST_CASE("a failure of one rank ends a stepwise run on all ranks after its step") {
    on_ranks(3, {}, [](process& self) {
        auto group = self.group();
        auto clock = self.clock();
        auto pattern = uneven(self);
        sonde::stepwise_run steps{group, sonde::plan<>{}.timed_by(clock).agree_on_errors(), {}};
        if (self.rank() == 2) steps.fail(std::make_exception_ptr(std::domain_error{"broken"}));
        if (self.rank() == 2) CHECK_THROWS_WITH_AS(take_all(steps, clock, pattern), "broken", std::domain_error);
        else CHECK_THROWS_AS(take_all(steps, clock, pattern), std::runtime_error);
        return 0;
    });
}

TEST_CASE("a step with too few samples on one rank is an error on all ranks") {
    on_ranks(2, {}, [](process& self) {
        auto group = self.group();
        auto clock = self.clock();
        sonde::stepwise_run steps{group, sonde::plan<>{}.warmup(0).timed_by(clock).agree_on_errors(), {}};
        auto const step = steps.next();
        CHECK(step.samples == 100);
        for (std::size_t i = self.rank() == 0 ? 1 : 0; i != step.samples; ++i) steps.add(clock.now(), clock.now());
        if (self.rank() == 0)
            CHECK_THROWS_WITH_AS(steps.next(), "sonde::stepwise_run: a step of 100 samples got 99", std::logic_error);
        else CHECK_THROWS_AS(steps.next(), std::runtime_error);
        return 0;
    });
}

TEST_CASE_FIXTURE(one_rank, "calls that do not fit the state of a stepwise run are refused") {
    sonde::stepwise_run steps{group, plan(1).agree_on_errors(), {}};
    CHECK_THROWS_AS(steps.add(clock.now(), clock.now()), std::logic_error);
    CHECK_THROWS_AS(static_cast<void>(steps.finish()), std::logic_error);
    CHECK(steps.next().samples == 1);
    steps.add(clock.now(), clock.now());
    CHECK(steps.next().samples == 0);
    CHECK_THROWS_AS(steps.next(), std::logic_error);
    CHECK(steps.finish().series.size() == 1);
    CHECK_THROWS_AS(static_cast<void>(steps.finish()), std::logic_error);
}
