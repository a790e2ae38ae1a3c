// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

using namespace unit;
using sonde::samples;
using sonde::stop_reason;
using sonde::time_budget;

// Rules are fed numbers: blocks of so many samples, and a time elapsed.

namespace {

sonde::verdict shown(auto& rule, std::size_t count, sonde::seconds elapsed = {}) {
    std::vector<sonde::seconds> const block(count);
    return rule(sonde::look{{block.data(), block.size()}, elapsed});
}

} // namespace

TEST_CASE("samples: stops when all blocks together have them") {
    samples rule{10};
    CHECK_FALSE(shown(rule, 6).stop);
    CHECK_FALSE(shown(rule, 3).stop);
    auto const last = shown(rule, 1);
    CHECK(last.stop);
    CHECK(last.why == stop_reason::samples);
}

TEST_CASE("samples: looks once, at the end") {
    samples const rule{10};
    CHECK(rule.next(0) == 10);
    CHECK(rule.next(4) == 6);
    CHECK(rule.next(10) == 0);
    CHECK(rule.next(11) == 0);
}

TEST_CASE("time_budget: stops when the time is reached, not before") {
    time_budget rule{10us};
    CHECK_FALSE(shown(rule, 1, 9999ns).stop);
    auto const last = shown(rule, 1, 10us);
    CHECK(last.stop);
    CHECK(last.why == stop_reason::time_budget);
}

TEST_CASE("time_budget: a limit that is no number ends at once, not never") {
    time_budget rule{sonde::seconds{std::numeric_limits<double>::quiet_NaN()}};
    CHECK(shown(rule, 1, 1ns).stop);
}

TEST_CASE("time_budget: looks as the series grows by a quarter and a sample") {
    time_budget const rule{1s};
    std::vector<std::size_t> looks;
    for (std::size_t n = 0; n < 30; looks.push_back(n)) n += rule.next(n);
    CHECK(looks == std::vector<std::size_t>{1, 2, 3, 4, 6, 8, 11, 14, 18, 23, 29, 37});
    CHECK(rule.next(1000) == 251);
}

TEST_CASE("a || b: stops with the first that does, and says why") {
    auto by_count = samples{3} || time_budget{10us};
    CHECK_FALSE(shown(by_count, 2, 1us).stop);
    CHECK(shown(by_count, 1, 2us).why == stop_reason::samples);
    auto by_time = samples{3} || time_budget{10us};
    auto const said = shown(by_time, 2, 10us);
    CHECK(said.stop);
    CHECK(said.why == stop_reason::time_budget);
}

TEST_CASE("a || b: looks when the sooner of the two does") {
    auto const rule = samples{5} || time_budget{1s};
    CHECK(rule.next(0) == 1);
    CHECK(rule.next(4) == 1);
    CHECK((time_budget{1s} || samples{101}).next(100) == 1);
}

TEST_CASE("a && b: stops when both have, for the reason of the later") {
    auto rule = samples{3} && time_budget{10us};
    CHECK_FALSE(shown(rule, 3, 4us).stop);
    CHECK_FALSE(shown(rule, 3, 9us).stop);
    auto const late_time = shown(rule, 1, 10us);
    CHECK(late_time.stop);
    CHECK(late_time.why == stop_reason::time_budget);

    auto other = samples{3} && time_budget{10us};
    CHECK_FALSE(shown(other, 1, 20us).stop);
    auto const late_count = shown(other, 2, 21us);
    CHECK(late_count.stop);
    CHECK(late_count.why == stop_reason::samples);

    auto at_once = samples{3} && time_budget{10us};
    CHECK(shown(at_once, 3, 10us).why == stop_reason::time_budget);
}

TEST_CASE("a && b: a rule that is done is asked no more when to look next") {
    auto count_done = samples{2} && time_budget{1s};
    CHECK(count_done.next(0) == 1);
    shown(count_done, 2);
    CHECK(count_done.next(8) == 3); // the budget's; the count's would be 0 for ever

    auto time_done = samples{100} && time_budget{1us};
    shown(time_done, 1, 5us);
    CHECK(time_done.next(8) == 92); // the count's; the budget's would be 3
    auto swapped = time_budget{1us} && samples{100};
    shown(swapped, 1, 5us);
    CHECK(swapped.next(8) == 92);
}

TEST_CASE("combinations nest") {
    auto rule = (samples{4} && time_budget{10us}) || samples{9};
    CHECK_FALSE(shown(rule, 5, 1us).stop);
    CHECK(shown(rule, 4, 2us).why == stop_reason::samples);
}

TEST_CASE("every reason has its name") {
    CHECK(sonde::name(stop_reason::none) == std::string{"none"});
    CHECK(sonde::name(stop_reason::samples) == std::string{"samples"});
    CHECK(sonde::name(stop_reason::time_budget) == std::string{"time_budget"});
    CHECK(sonde::name(stop_reason::precision) == std::string{"precision"});
    CHECK(sonde::name(stop_reason::noise_floor) == std::string{"noise_floor"});
    CHECK(sonde::name(stop_reason::other) == std::string{"other"});
}
