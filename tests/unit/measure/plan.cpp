// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/measure/type_erasure.hpp>
#include <sonde/stop.hpp>
#include <sonde/stop/precision.hpp>
#include <sonde/sync.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;

namespace {

std::size_t calls_of_function = 0;

void count_a_call() { ++calls_of_function; }

} // namespace

TEST_CASE_FIXTURE(one_rank, "a default plan has 10 iterations of warm-up, then 100 samples of one iteration") {
    int calls = 0;
    auto const r = sonde::run(group, sonde::plan<>{}.timed_by(clock), [&] { ++calls; });
    CHECK(calls == 110);
    CHECK(r.series.size() == 100);
    CHECK(r.batch == 1);
    CHECK(group.barriers == 2);
}

TEST_CASE_FIXTURE(one_rank, "a setter changes its own setting and keeps the others, in any order") {
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

TEST_CASE_FIXTURE(one_rank, "a batch of 0 iterations is refused before the clock is read") {
    CHECK_THROWS_AS(sonde::run(group, plan(1).batch(0), [] {}), std::invalid_argument);
    CHECK(time.reads == 0);
}

TEST_CASE_FIXTURE(one_rank, "a parameter without a name, and two of one name, are refused before the clock is read") {
    CHECK_THROWS_WITH_AS(sonde::run(group, plan(1), [] {}, {"x", {{"bytes", 8}, {"n", 1}, {"bytes", 9}}}),
                         "sonde::point: two parameters of 'x' have the name 'bytes'", std::invalid_argument);
    CHECK_THROWS_WITH_AS(sonde::run(group, plan(1), [] {}, {"x", {{"", 8}}}),
                         "sonde::point: a parameter of 'x' has no name", std::invalid_argument);
    CHECK_THROWS_AS(sonde::compare(group, plan(1), sonde::named({"x", {{"n", 1}, {"n", 2}}}, [] {})),
                    std::invalid_argument);
    CHECK(time.reads == 0);
}

TEST_CASE_FIXTURE(one_rank, "an empty function is refused before the clock is read, and a function is measured") {
    auto const refuses = [&](auto empty) {
        CHECK_THROWS_WITH_AS(sonde::run(group, plan(1), empty),
                             "sonde: the exchange to be measured is an empty function", std::invalid_argument);
        CHECK_THROWS_AS(sonde::compare(
                            group, plan(1), [] {}, empty),
                        std::invalid_argument);
        CHECK_THROWS_AS(sonde::run(group, plan(1), sonde::repeat{2, empty}), std::invalid_argument);
    };
    refuses(std::function<void()>{});
    refuses(static_cast<void (*)()>(nullptr));
    CHECK(time.reads == 0);
    calls_of_function = 0;
    static_cast<void>(sonde::run(group, plan(1), count_a_call));
    static_cast<void>(
        sonde::compare(group, plan(1), count_a_call, sonde::pattern_ref<sonde::sim::manual_clock>{count_a_call}));
    CHECK(calls_of_function > 3);
}

TEST_CASE_FIXTURE(
    one_rank,
    "a batch or a series that never ends, and bytes that no sum holds, are refused before the clock is read") {
    auto const endless = static_cast<std::size_t>(-1);
    CHECK_THROWS_WITH_AS(sonde::run(group, plan(1).batch(endless), [] {}),
                         "sonde::plan: a batch of over 2^48 iterations never ends", std::invalid_argument);
    CHECK_THROWS_WITH_AS(sonde::run(group, plan(endless), [] {}),
                         "sonde::plan: a series of over 2^48 samples never ends", std::invalid_argument);
    CHECK_THROWS_WITH_AS(sonde::run(group, plan(1).warmup(endless), [] {}),
                         "sonde::plan: a warm-up of over 2^48 iterations never ends", std::invalid_argument);
    for (auto const wrong : {-1., std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
        CHECK_THROWS_WITH_AS(
            sonde::run(group, plan(1).warmup(sonde::until_stable{.max_time = sonde::seconds{wrong}}), [] {}),
            "sonde::plan: the time of a warm-up must be a finite number of seconds of at least 0",
            std::invalid_argument);
    CHECK_THROWS_AS(sonde::run(group, plan(1), sonde::with_traffic{{.bytes = endless}, [] {}}), std::invalid_argument);
    CHECK(time.reads == 0);
    CHECK_NOTHROW(sonde::run(group, plan(1).until(sonde::samples{endless} || sonde::samples{1}), [] {}));
}

TEST_CASE_FIXTURE(one_rank,
                  "iterations in less time than any processor needs are removed by the compiler: a flag says so") {
    std::size_t i = 0;
    auto const once_a_batch = [&] {
        if (i++ % 100'000 == 0) time.now += 1ns;
    };
    CHECK(sonde::run(group, plan(3).batch(100'000), once_a_batch).flags.timer_limited);
    CHECK_FALSE(sonde::run(group, plan(3).batch(1), [&] { time.now += 1ns; }).flags.timer_limited);
}

TEST_CASE_FIXTURE(one_rank, "a rule that allows no sample is refused before the clock is read") {
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

/// Runs three ranks with the plans `plan_of(rank)`; returns the results.
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

TEST_CASE("ranks with different warm-ups, batches or numbers of samples all throw before a clock is read") {
    check_refused_everywhere(outcomes([](int rank) { return sonde::plan<>{}.warmup(rank == 2 ? 4 : 5); }));
    check_refused_everywhere(outcomes([](int rank) { return sonde::plan<>{}.batch(1 + size(rank)); }));
    check_refused_everywhere(outcomes([](int rank) { return sonde::plan<>{}.until(sonde::samples{9 - size(rank)}); }));
}

TEST_CASE("an invalid plan on one rank throws on all, and none waits for the others") {
    check_refused_everywhere(outcomes([](int rank) { return sonde::plan<>{}.batch(rank == 1 ? 0 : 1); }));
    check_refused_everywhere(outcomes([](int rank) { return sonde::plan<>{}.until(sonde::samples{size(rank)}); }));
}

TEST_CASE("ranks with equal plans are not refused") {
    for (auto const& one : outcomes([](int) { return sonde::plan<>{}.warmup(3).batch(2); })) CHECK_FALSE(one.refused);
}

namespace {

/// The exception texts of three ranks when rank 1's call differs; "" for a rank without an exception.
template <class Call>
std::vector<std::string> messages(Call call) {
    return caught_on_ranks(3, call);
}

/// Checks that the message ends with these parts on all ranks.
void check_differ(std::vector<std::string> const& all, std::string const& parts) {
    for (auto const& one : all) CHECK(one.substr(one.rfind(": ") + 1) == " " + parts);
}

/// Calls `run` on rank 1 with another plan, or type of plan, than on ranks 0 and 2.
void check_runs_differ(auto plan, auto other, std::string const& parts) {
    check_differ(messages([&](process& self) {
                     auto group = self.group();
                     if (self.rank() == 1) static_cast<void>(sonde::run(group, other.timed_by(self.clock()), [] {}));
                     else static_cast<void>(sonde::run(group, plan.timed_by(self.clock()), [] {}));
                 }),
                 parts);
}

void check_synchronizers_differ(auto one, auto other) {
    sonde::plan<> const p;
    check_runs_differ(p.synchronized(one), p.synchronized(other), "synchronizer");
    check_differ(messages([&](process& self) {
                     auto group = self.group();
                     auto const by = [&](auto sync) {
                         auto const how = p.timed_by(self.clock()).synchronized(sync);
                         static_cast<void>(sonde::compare(
                             group, how, [] {}, [] {}));
                     };
                     if (self.rank() == 1) by(other);
                     else by(one);
                 }),
                 "synchronizer");
}

/// Prepares one iteration on some ranks.
struct prepares_if {
    bool prepares;
    void operator()(auto&, std::size_t) const {}
    bool allows_batches() const { return !prepares; }
};

/// A synchronizer with a setting that must be equal on all ranks.
struct with_setting {
    int setting;
    void operator()(auto&, std::size_t) const {}
    std::array<double, 1> parameters() const { return {static_cast<double>(setting)}; }
};

/// Evaluated twice: after 10 samples, and after `later` more.
struct evaluated_later {
    std::size_t later;
    static constexpr bool uniform = true;
    std::size_t next(std::size_t n) const { return n == 0 ? 10 : later; }
    sonde::decision operator()(sonde::progress const& seen) const {
        return {seen.samples > 10, sonde::stop_reason::other};
    }
};

} // namespace

TEST_CASE("batch(by_timer) replaces an invalid batch of one rank") {
    for (auto const& one :
         outcomes([](int rank) { return sonde::plan<>{}.batch(rank == 1 ? 0 : 1).batch(sonde::by_timer); }))
        CHECK_FALSE(one.refused);
}

TEST_CASE("a synchronizer that refuses a batch on one rank is refused on all") {
    check_refused_everywhere(
        outcomes([](int rank) { return sonde::plan<>{}.synchronized(prepares_if{rank == 1}).batch(2); }));
    for (auto const& one : outcomes([](int rank) { return sonde::plan<>{}.synchronized(prepares_if{rank == 1}); }))
        CHECK_FALSE(one.refused); // each rank prepares an iteration in its own way
}

TEST_CASE("rules whose first number of samples is equal and a later one differs are refused on all ranks") {
    using sonde::samples;
    sonde::plan<> const p;
    check_runs_differ(p.until(samples{10} && samples{20}), p.until(samples{10} && samples{30}), "stopping rule");
    check_runs_differ(p.until(evaluated_later{5}), p.until(evaluated_later{6}), "stopping rule");
}

TEST_CASE("uniform rules that differ after more evaluations than are compared stop with rank 0's") {
    struct much_later {
        std::size_t count;
        bool uniform = true;
        std::size_t next(std::size_t) const { return 1; }
        sonde::decision operator()(sonde::progress const& seen) const {
            return {seen.samples >= count, sonde::stop_reason::other};
        }
    };
    auto const taken = on_ranks(2, {}, [](process& self) {
        auto group = self.group();
        auto const rule = much_later{self.rank() == 0 ? std::size_t{66'000} : std::size_t{67'000}};
        auto const how = sonde::plan<>{}.warmup(0).timed_by(self.clock()).until(rule).synchronized(sonde::no_sync{});
        return sonde::run(group, how, [] {}).stop.samples;
    });
    CHECK(taken == std::vector<std::size_t>{66'000, 66'000});
}

TEST_CASE("a rule whose next evaluation is infinitely far gets the largest block, not the smallest") {
    struct far_away {
        std::vector<std::size_t>* blocks;
        std::size_t next(std::size_t) const { return static_cast<std::size_t>(-1); }
        sonde::decision operator()(sonde::progress const& seen) const {
            blocks->push_back(seen.block.size());
            return {blocks->size() == 2, sonde::stop_reason::other};
        }
    };
    sonde::single_rank single_rank;
    std::vector<std::size_t> blocks;
    static_cast<void>(sonde::run(single_rank, sonde::plan<>{}.until(far_away{&blocks}), [] {}));
    CHECK(blocks == std::vector<std::size_t>{65'536, 65'536});
}

TEST_CASE("rules with different times, precisions or confidences are refused on all ranks") {
    using sonde::relative_error;
    using sonde::time_budget;
    sonde::plan<> const p;
    check_runs_differ(p.until(time_budget{1s}), p.until(time_budget{2s}), "stopping rule");
    check_runs_differ(p.until(relative_error{0.01}), p.until(relative_error{0.02}), "stopping rule");
    check_runs_differ(p.until(relative_error{0.01}), p.until(relative_error{0.01, 0.9}), "stopping rule");
    check_runs_differ(p.until(relative_error{0.01} || time_budget{1s}),
                      p.until(relative_error{0.01} || time_budget{2s}), "stopping rule");
    check_runs_differ(p.until(sonde::noise_converged{0.1}), p.until(sonde::noise_converged{0.2}), "stopping rule");
    check_runs_differ(p.until(relative_error{0.01}.within(1s)), p.until(relative_error{0.01}.within(2s)),
                      "stopping rule");
    check_runs_differ(p.until(sonde::any_rule{time_budget{1s}}), p.until(sonde::any_rule{sonde::samples{1}}),
                      "stopping rule");
    check_runs_differ(p.until(sonde::samples{1} || time_budget{1s}), p.until(sonde::samples{1}), "stopping rule");
}

TEST_CASE("ranks with synchronizers of different types all throw, in run and in compare") {
    sonde::barrier_each const each;
    sonde::barrier_once const once;
    check_synchronizers_differ(each, once);
    check_synchronizers_differ(sonde::no_sync{}, once);
    check_synchronizers_differ(sonde::no_sync{}, each);
    check_synchronizers_differ(sonde::dissemination_barrier{}, each);
    check_synchronizers_differ(with_setting{1}, with_setting{2});
    auto prepare = [] {};
    check_synchronizers_differ(sonde::prepared_sync{with_setting{1}, &prepare},
                               sonde::prepared_sync{with_setting{2}, &prepare});
}

TEST_CASE("each difference between ranks is named, also several") {
    sonde::plan<> const p;
    check_runs_differ(p.warmup(sonde::until_stable{.max_time = 1s}), p.warmup(sonde::until_stable{.max_time = 2s}),
                      "warm-up");
    check_runs_differ(p.batch(2), p.batch(sonde::by_timer), "batch");
    check_runs_differ(p.keep({.rank_means = true}), p, "what the record keeps");
    check_runs_differ(p, p.keep({.sample_means = true}), "what the record keeps");
    check_runs_differ(p, p.agree_on_errors(), "agreement on errors");
    check_runs_differ(p.keep({.rank_samples = true, .on_all_ranks = true}), p.keep({.rank_samples = true}),
                      "what the record keeps");
    check_runs_differ(p.warmup(7).batch(2), p.until(sonde::samples{3}), "warm-up, batch, stopping rule");
}

TEST_CASE("ranks with different clocks all throw") {
    struct other_clock : sonde::sim::manual_clock {};
    sonde::plan<> const p;
    check_differ(messages([&](process& self) {
                     auto group = self.group();
                     if (self.rank() == 1)
                         static_cast<void>(sonde::run(group, p.timed_by(other_clock{self.clock()}), [] {}));
                     else static_cast<void>(sonde::run(group, p.timed_by(self.clock()), [] {}));
                 }),
                 "clock");
}

TEST_CASE_FIXTURE(one_rank, "a plan of an any_rule takes a rule of another type") {
    auto chosen = plan(1).until(sonde::any_rule{sonde::samples{3}});
    CHECK(sonde::run(group, chosen, [] {}).series.size() == 3);
    chosen = chosen.until(sonde::samples{5} || sonde::time_budget{1s});
    CHECK(sonde::run(group, chosen, [] {}).series.size() == 5);
    chosen = chosen.warmup(2).until(sonde::samples{4}).batch(3);
    CHECK(chosen.warmup_iterations == 2);
    CHECK(chosen.batch_iterations == 3);
    CHECK(sonde::run(group, chosen, [] {}).series.size() == 4);
}
