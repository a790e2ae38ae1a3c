// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/type_erasure.hpp>
#include <sonde/stop/precision.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace unit;
using sonde::samples;
using sonde::stop_reason;
using sonde::time_budget;

// Rules evaluate numbers: blocks of a number of samples, and an elapsed time.

namespace {

template <class R>
struct rule_driver {
    R rule;
    std::size_t taken = 0;

    sonde::decision operator()(std::size_t count, sonde::seconds elapsed = {}) {
        taken += count;
        std::vector<sonde::seconds> const block(count);
        return rule(sonde::progress{.block = {block.data(), block.size()}, .elapsed = elapsed, .samples = taken});
    }
};
template <class R>
rule_driver(R) -> rule_driver<R>;

// One conversion to seconds for a budget and for the time that reaches it: with -ffast-math two may differ.
sonde::seconds const ten_microseconds{10us};

} // namespace

TEST_CASE("samples: stops when all blocks together have its number") {
    rule_driver shown{samples{10}};
    CHECK_FALSE(shown(6).stop);
    CHECK_FALSE(shown(3).stop);
    auto const last = shown(1);
    CHECK(last.stop);
    CHECK(last.reason == stop_reason::samples);
}

TEST_CASE("samples: is evaluated once, at the end") {
    samples const rule{10};
    CHECK(rule.next(0) == 10);
    CHECK(rule.next(4) == 6);
    CHECK(rule.next(10) == 0);
    CHECK(rule.next(11) == 0);
}

TEST_CASE("time_budget: stops when the time is reached, not before") {
    rule_driver shown{time_budget{ten_microseconds}};
    CHECK_FALSE(shown(1, 9999ns).stop);
    auto const last = shown(1, ten_microseconds);
    CHECK(last.stop);
    CHECK(last.reason == stop_reason::time_budget);
}

TEST_CASE("a time budget that is negative or not finite is refused, alone and of a precision") {
    std::string const why = ": the budget must be a finite number of seconds of at least 0";
    using limits = std::numeric_limits<double>;
    for (auto const wrong : {-1., limits::infinity(), limits::quiet_NaN()}) {
        sonde::seconds const budget{wrong};
        CHECK_THROWS_WITH_AS(time_budget{budget}, ("sonde::time_budget" + why).c_str(), std::invalid_argument);
        CHECK_THROWS_WITH_AS(static_cast<void>(sonde::relative_error{0.01}.within(budget)),
                             ("sonde::relative_error::within" + why).c_str(), std::invalid_argument);
    }
    CHECK_NOTHROW(time_budget{sonde::seconds{}});
}

TEST_CASE("time_budget: is evaluated as the series grows by a quarter and a sample") {
    time_budget const rule{1s};
    std::vector<std::size_t> evaluations;
    for (std::size_t n = 0; n < 30; evaluations.push_back(n)) n += rule.next(n);
    CHECK(evaluations == std::vector<std::size_t>{1, 2, 3, 4, 6, 8, 11, 14, 18, 23, 29, 37});
    CHECK(rule.next(1000) == 251);
}

TEST_CASE("a || b: stops with the first one, and has its reason") {
    rule_driver by_count{samples{3} || time_budget{ten_microseconds}};
    CHECK_FALSE(by_count(2, 1us).stop);
    CHECK(by_count(1, 2us).reason == stop_reason::samples);
    rule_driver by_time{samples{3} || time_budget{ten_microseconds}};
    auto const result = by_time(2, ten_microseconds);
    CHECK(result.stop);
    CHECK(result.reason == stop_reason::time_budget);
}

TEST_CASE("a || b: is evaluated when the earlier one is") {
    auto const rule = samples{5} || time_budget{1s};
    CHECK(rule.next(0) == 1);
    CHECK(rule.next(4) == 1);
    CHECK((time_budget{1s} || samples{101}).next(100) == 1);
}

TEST_CASE("a && b: stops with the last one, and has its reason") {
    rule_driver rule{samples{3} && time_budget{ten_microseconds}};
    CHECK_FALSE(rule(3, 4us).stop);
    CHECK_FALSE(rule(3, 9us).stop);
    auto const late_time = rule(2, ten_microseconds);
    CHECK(late_time.stop);
    CHECK(late_time.reason == stop_reason::time_budget);

    rule_driver other{samples{3} && time_budget{ten_microseconds}};
    CHECK_FALSE(other(1, 20us).stop);
    auto const late_count = other(2, 21us);
    CHECK(late_count.stop);
    CHECK(late_count.reason == stop_reason::samples);

    rule_driver at_once{samples{3} && time_budget{ten_microseconds}};
    CHECK(at_once(3, 10us).reason == stop_reason::time_budget);
}

TEST_CASE("a && b: a satisfied rule no longer limits the next block") {
    rule_driver count_done{samples{2} && time_budget{1s}};
    CHECK(count_done.rule.next(0) == 1);
    count_done(8);
    CHECK(count_done.rule.next(8) == 3); // the budget's; the count's would be 0 forever

    rule_driver time_done{samples{100} && time_budget{1us}};
    time_done(1, 5us);
    CHECK(time_done.rule.next(8) == 92); // the count's; the budget's would be 3
    rule_driver swapped{time_budget{1us} && samples{100}};
    swapped(1, 5us);
    CHECK(swapped.rule.next(8) == 92);
}

namespace elsewhere {

/// Stops at a number of samples, in a namespace in which the operators of sonde are not found.
struct own_rule {
    std::size_t count;

    std::size_t next(std::size_t n) const { return n < count ? count - n : 1; }
    sonde::decision operator()(sonde::progress const& p) const { return {p.samples >= count, stop_reason::other}; }
};

} // namespace elsewhere

TEST_CASE("any_of{a, b} and all_of{a, b} combine two rules of namespaces in which the operators are not found") {
    using elsewhere::own_rule;
    rule_driver first{sonde::any_of{own_rule{3}, own_rule{5}}};
    CHECK(first.rule.next(0) == 3);
    CHECK_FALSE(first(2).stop);
    CHECK(first(1).reason == stop_reason::other);
    rule_driver both{sonde::all_of{own_rule{3}, own_rule{5}}};
    CHECK_FALSE(both(3).stop);
    CHECK(both(2).reason == stop_reason::other);
    rule_driver three{samples{9} || own_rule{3} || own_rule{5}}; // found, because one side is a rule of sonde
    CHECK(three(3).stop);
}

TEST_CASE("combinations nest") {
    rule_driver rule{(samples{4} && time_budget{ten_microseconds}) || samples{9}};
    CHECK_FALSE(rule(5, 1us).stop);
    CHECK(rule(4, 2us).reason == stop_reason::samples);
}

namespace {

/// Evaluated every `step` samples; notes the sizes of its blocks.
struct recording_rule {
    std::size_t step;
    std::vector<std::size_t>* blocks;
    std::size_t next(std::size_t) const { return step; }
    sonde::decision operator()(sonde::progress const& seen) {
        blocks->push_back(seen.block.size());
        return {};
    }
};

/// The blocks of the first of two rules while `taken` samples are taken in the combination's blocks.
std::vector<std::size_t> blocks_shown(auto combination, std::vector<std::size_t>& blocks, std::size_t taken) {
    rule_driver rule{std::move(combination)};
    while (rule.taken < taken) rule(rule.rule.next(rule.taken));
    return blocks;
}

} // namespace

TEST_CASE("a rule of a combination evaluates the blocks that it requested, for any blocks of the other") {
    std::vector<std::size_t> const sevens{7, 7, 7, 7};
    std::vector<std::size_t> a, b, c;
    CHECK(blocks_shown(recording_rule{7, &a} || time_budget{1s}, a, 28) == sevens);
    CHECK(blocks_shown(recording_rule{7, &b} && samples{3}, b, 28) == sevens);
    CHECK(blocks_shown((recording_rule{7, &c} || samples{90}) || time_budget{1s}, c, 28) == sevens);
}

TEST_CASE("a block that a combination gathers holds the times of all samples since the last evaluation, in order") {
    std::vector<sonde::seconds> seen;
    auto const keep = [&](sonde::progress const& l) { seen.assign(l.block.begin(), l.block.end()); };
    struct thirds {
        decltype(keep) const* show;
        std::size_t next(std::size_t) const { return 3; }
        sonde::decision operator()(sonde::progress const& l) {
            (*show)(l);
            return {};
        }
    };
    auto rule = thirds{&keep} || samples{9};
    std::vector<sonde::seconds> const one{1us}, two{2us, 3us};
    rule(sonde::progress{.block = one, .samples = 1});
    CHECK(seen.empty());
    rule(sonde::progress{.block = two, .samples = 3});
    CHECK(seen == std::vector<sonde::seconds>{1us, 2us, 3us});
}

TEST_CASE("a combination has the parameters of both rules") {
    auto const rule = (samples{10} && time_budget{sonde::seconds{2}}) || sonde::relative_error{0.25, 0.5};
    CHECK(rule.parameters() == std::vector<double>{10, 2, 0.25, 0.5});
}

TEST_CASE("any_rule: a rule chosen at run time gives the same blocks and decisions as the rule that it holds") {
    sonde::any_rule rule = samples{3};
    CHECK(rule.uniform);
    rule = std::move(rule) || time_budget{ten_microseconds};
    CHECK_FALSE(rule.uniform);
    auto const copy = rule;
    rule_driver first{rule}, second{copy};
    CHECK(first.rule.next(0) == 1);
    CHECK_FALSE(first(2, 1us).stop);
    CHECK(first(1, 2us).reason == stop_reason::samples);
    CHECK(second(1, 10us).reason == stop_reason::time_budget); // a copy has a schedule of its own
    CHECK(sonde::any_rule{samples{3}}.parameters() != sonde::any_rule{time_budget{sonde::seconds{3}}}.parameters());
}

TEST_CASE("every reason has its name") {
    CHECK(sonde::to_string(stop_reason::none) == std::string{"none"});
    CHECK(sonde::to_string(stop_reason::samples) == std::string{"samples"});
    CHECK(sonde::to_string(stop_reason::time_budget) == std::string{"time_budget"});
    CHECK(sonde::to_string(stop_reason::precision) == std::string{"precision"});
    CHECK(sonde::to_string(stop_reason::noise_floor) == std::string{"noise_floor"});
    CHECK(sonde::to_string(stop_reason::other) == std::string{"other"});
    CHECK(sonde::to_string(stop_reason::unreachable) == std::string{"unreachable"});
}
