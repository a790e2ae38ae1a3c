// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/change_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "support.hpp"

namespace {

using night_times = std::vector<double>;

constexpr std::size_t row_count = 23;

/// Places of the changes of a single series.
std::vector<std::size_t> places(night_times const& values, double alpha = 0.01, std::size_t rows = 1) {
    std::vector<std::size_t> all;
    for (auto const& c : tools::change_points(made::times(values), alpha, rows * values.size())) all.push_back(c.at);
    return all;
}

/// Different times from 100 to 104 in an order without a trend, times the factor of each night.
night_times course(std::vector<double> const& factors) {
    night_times values;
    for (std::size_t i = 0; i != factors.size(); ++i)
        values.push_back(factors[i] * (100 + static_cast<double>(i * 137 % 401) / 100));
    return values;
}

/// `count` nights of each of the factors.
night_times course_of_levels(std::initializer_list<std::pair<std::size_t, double>> levels) {
    std::vector<double> factors;
    for (auto const& [count, factor] : levels) factors.insert(factors.end(), count, factor);
    return course(factors);
}

/// Number of histories of `row_count` rows of equal levels, of 500, in which a row has a change.
int histories_with_a_change(auto make_row) {
    int found = 0;
    for (int trial = 0; trial != 500; ++trial) {
        bool any = false;
        for (std::size_t row = 0; row != row_count; ++row)
            any = !places(make_row(trial), 0.05, row_count).empty() || any;
        found += any;
    }
    return found;
}

} // namespace

TEST_CASE("a step, a step back and several steps are found at their places") {
    CHECK(places(course_of_levels({{10, 1}, {10, 1.2}})) == std::vector<std::size_t>{10});
    CHECK(places(course_of_levels({{10, 1.2}, {10, 1}})) == std::vector<std::size_t>{10});
    CHECK(places(course_of_levels({{12, 1}, {8, 1.2}, {10, 1}})) == std::vector<std::size_t>{12, 20});
    CHECK(places(course_of_levels({{12, 1}, {12, 1.2}, {12, 1.5}})) == std::vector<std::size_t>{12, 24});
    CHECK(places(course_of_levels({{30, 1}, {5, 2}})) == std::vector<std::size_t>{30});
}

TEST_CASE("a change needs enough nights on both sides, however large it is") {
    CHECK(places(course_of_levels({{30, 1}, {2, 100}})).empty());
    CHECK(places(course_of_levels({{2, 100}, {30, 1}})).empty());
    CHECK(places(course_of_levels({{15, 1}, {1, 100}, {15, 1}})).empty());
}

TEST_CASE("nights without noise, of two values, in ticks, and few nights have no change") {
    CHECK(places(night_times(40, 100)).empty());
    CHECK(places(night_times(40, 0)).empty());
    CHECK(places(night_times(1, 100)).empty());
    CHECK(places({}).empty());
    night_times alternating;
    for (int i = 0; i != 40; ++i) alternating.push_back(i % 2 == 0 ? 100 : 110);
    CHECK(places(alternating).empty());
}

TEST_CASE("nights without noise have a change where their value changes") {
    for (double const factor : {0.5, 0.99, 1.01, 3.0}) {
        night_times steps(8, 100);
        steps.insert(steps.end(), 9, 100 * factor);
        CHECK(places(steps) == std::vector<std::size_t>{8});
    }
}

TEST_CASE("p is that of the rank-sum test at all places as extreme, twice, for all series") {
    // Of 16 values only the 8 first ones can have a p of 2 / C(16, 8); of 15 values, the 7 and the 8 first ones.
    auto const p_of = [](std::size_t before, std::size_t after, std::size_t rows) {
        auto const values = course_of_levels({{before, 1}, {after, 2}});
        return tools::change_points(made::times(values), 0.1, rows * values.size()).at(0).p;
    };
    auto const is = [](double found, double expected) { return std::abs(found - expected) < 1e-12; };
    CHECK(is(p_of(8, 8, 1), 2 * 2.0 / 12870));
    CHECK(is(p_of(8, 8, 3), 3 * 2 * 2.0 / 12870));
    CHECK(is(p_of(7, 8, 1), 2 * 2 * 2.0 / 6435));
}

TEST_CASE("the number of nights that are needed finds a step in the middle, and one night fewer does not") {
    CHECK(tools::values_needed(1, 0.05) == 10);
    CHECK(tools::values_needed(1, 0.01) == 12);
    CHECK(tools::values_needed(23, 0.01) == 16);
    CHECK(tools::values_needed(100, 0.01) == 18);
    CHECK(tools::values_needed(500, 0.01) == 22);
    for (std::size_t const rows : {1U, 5U, 23U, 100U, 1000U})
        for (double const alpha : {0.001, 0.01, 0.05}) {
            auto const n = tools::values_needed(rows, alpha);
            auto const found = [&](std::size_t values) {
                return !places(course_of_levels({{values / 2, 1}, {values - values / 2, 2}}), alpha, rows).empty();
            };
            CHECK(found(n));
            CHECK(!found(n - 1));
        }
}

TEST_CASE("a change at the end needs the nights that docs/sonde-compare.md says") {
    struct needs {
        std::size_t rows, before, after;
    };
    for (auto const [rows, before, after] : {needs{1, 14, 5},
                                             {1, 30, 3},
                                             {1, 60, 3},
                                             {1, 365, 3},
                                             {23, 14, 7},
                                             {23, 30, 4},
                                             {23, 60, 4},
                                             {23, 365, 3},
                                             {100, 14, 8},
                                             {100, 30, 5},
                                             {100, 60, 5},
                                             {100, 365, 4},
                                             {500, 14, 10},
                                             {500, 30, 6},
                                             {500, 60, 6},
                                             {500, 365, 4}}) {
        CHECK(places(course_of_levels({{before, 1}, {after, 2}}), 0.01, rows) == std::vector<std::size_t>{before});
        CHECK(places(course_of_levels({{before, 1}, {after - 1, 2}}), 0.01, rows).empty());
    }
}

TEST_CASE("constant noise: of 500 histories of 23 rows, at most 5 % have a change in any row at a rate of 0.05") {
    made::noise noise{39};
    auto const independent = histories_with_a_change([&](int) { return noise(20, 1000, 0.2); });
    auto const in_ticks = histories_with_a_change([&](int) {
        auto values = noise(20, 1000, 0.02);
        for (auto& v : values) v = 20 * std::round(v / 20);
        return values;
    });
    night_times shared;
    int shared_trial = -1;
    auto const with_bad_nights = histories_with_a_change([&](int trial) {
        if (std::exchange(shared_trial, trial) != trial) shared = noise(20, 1, 0.2);
        auto values = noise(20, 1000, 0.1);
        for (std::size_t i = 0; i != values.size(); ++i) values[i] *= shared[i];
        return values;
    });
    MESSAGE("independent ", independent, ", in ticks ", in_ticks, ", with bad nights ", with_bad_nights, " of 500");
    CHECK(independent <= 25);
    CHECK(in_ticks <= 25);
    CHECK(with_bad_nights <= 25);
    CHECK(independent >= 5); // the rate is held, but not by finding nothing
}

TEST_CASE("noise on both sides of a step: of 500 series, at most 5 % have a second change at a rate of 0.05") {
    made::noise noise{40};
    int other = 0, found = 0;
    for (int trial = 0; trial != 500; ++trial) {
        auto values = noise(20, 1000, 0.05);
        auto const after = noise(20, 2000, 0.05);
        values.insert(values.end(), after.begin(), after.end());
        auto const all = places(values, 0.05);
        found += std::count(all.begin(), all.end(), 20U) == 1;
        other += all.size() > 1;
    }
    MESSAGE("found ", found, ", other changes in ", other, " of 500");
    CHECK(found == 500);
    CHECK(other <= 25);
}

TEST_CASE("a step of 10 % in noise of 2 % is found at its place, one row of 23, and so is a slow week") {
    made::noise noise{41};
    int steps = 0, weeks = 0;
    for (int trial = 0; trial != 100; ++trial) {
        auto step = noise(30, 1000, 0.02), week = noise(30, 1000, 0.02);
        for (std::size_t i = 20; i != 30; ++i) step[i] *= 1.1;
        for (std::size_t i = 12; i != 20; ++i) week[i] *= 1.1;
        steps += places(step, 0.01, row_count) == std::vector<std::size_t>{20};
        weeks += places(week, 0.01, row_count) == std::vector<std::size_t>{12, 20};
    }
    MESSAGE("steps ", steps, ", weeks ", weeks, " of 100");
    CHECK(steps >= 90);
    CHECK(weeks >= 90);
}

TEST_CASE("hundreds of nights: a step is found by the last ten") {
    std::vector<double> factors(390, 1);
    factors.insert(factors.end(), 10, 2);
    CHECK(places(course(factors), 0.01, row_count) == std::vector<std::size_t>{390});
    CHECK(places(course(std::vector<double>(400, 1)), 0.01, row_count).empty());
}

TEST_CASE("the interval of a ratio is that of the rank-sum test's ordered ratios") {
    auto const interval = [](night_times const& before, night_times const& after) {
        return tools::ratio_interval(made::times(before), made::times(after));
    };
    // For 4 and 4 values, P(U = 0) = 1 / 70: the interval has all ratios. For 5 and 5, P(U <= 2) = 4 / 252 = 0.0159.
    auto const all = interval({1, 2, 4, 8}, {16, 32, 64, 128});
    REQUIRE(all);
    CHECK(std::abs(all->low - 2) < 1e-9);
    CHECK(std::abs(all->high - 128) < 1e-9);
    // Ratios of powers of two: 2^-4 once, 2^-3 twice; the third of 25 is 2^-3, and that from above 2^3.
    auto const inner = interval({1, 2, 4, 8, 16}, {1, 2, 4, 8, 16});
    REQUIRE(inner);
    CHECK(std::abs(inner->low - 0.125) < 1e-9);
    CHECK(std::abs(inner->high - 8) < 1e-9);
    CHECK(!interval({1, 2, 3}, {4, 5, 6}));
    CHECK(!interval({0, 0, 0, 0, 0}, {4, 5, 6, 7, 8}));
}

TEST_CASE("the interval of a ratio covers it in 95 % of 1000 trials or more") {
    made::noise noise{42};
    int covered = 0;
    for (int trial = 0; trial != 1000; ++trial) {
        auto const before = noise(12, 1000, 0.1), after = noise(8, 1300, 0.1);
        auto const found = tools::ratio_interval(made::times(before), made::times(after));
        covered += found && found->low <= 1.3 && found->high >= 1.3;
    }
    MESSAGE("covered ", covered, " of 1000");
    CHECK(covered >= 950);
}
