// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/race.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace {

using tools::tune::confirm, tools::tune::gain, tools::tune::race_criteria, tools::tune::racer, sonde::outcome;

/// A racer with one row of these times.
racer one_row(std::vector<double> const& times) { return {{times}}; }

/// Lognormal times of `rows` rows in `rounds` rounds, of which one in ten launches is half as fast.
class noisy_racers {
public:
    explicit noisy_racers(unsigned seed) : bits_{seed} {}

    racer operator()(std::size_t rows, std::size_t rounds, double median) {
        racer r;
        r.times.resize(rows);
        for (std::size_t i = 0; i != rounds; ++i) {
            auto const slow = chance_(bits_) < 0.1 ? 2.0 : 1.0; // a launch on busy processors, in all its rows
            for (auto& row : r.times) row.push_back(median * slow * std::exp(0.05 * draw_(bits_)));
        }
        return r;
    }

private:
    std::mt19937_64 bits_;
    std::normal_distribution<double> draw_{};
    std::uniform_real_distribution<double> chance_{};
};

} // namespace

TEST_CASE("the tail of Student's t is that of printed tables") {
    using tools::tune::t_upper_tail;
    CHECK(t_upper_tail(6.314, 1) == doctest::Approx(0.05).epsilon(0.001));
    CHECK(t_upper_tail(2.920, 2) == doctest::Approx(0.05).epsilon(0.001));
    CHECK(t_upper_tail(5.841, 3) == doctest::Approx(0.005).epsilon(0.001));
    CHECK(t_upper_tail(4.604, 4) == doctest::Approx(0.005).epsilon(0.001));
    CHECK(t_upper_tail(1.833, 9) == doctest::Approx(0.05).epsilon(0.001));
    CHECK(t_upper_tail(2.764, 10) == doctest::Approx(0.01).epsilon(0.001));
    CHECK(t_upper_tail(0, 7) == doctest::Approx(0.5));
    CHECK(t_upper_tail(-1.833, 9) == doctest::Approx(0.95).epsilon(0.001));
}

TEST_CASE("the course of a candidate is the mean of its ratios so far, with an interval from the first look on") {
    auto const ratios = [](std::vector<double> const& x) { return racer{{{1, 1, 1, 1}, x}}; };
    racer const first{{{1, 1, 1, 1}, {1, 1, 1, 1}}};
    auto const course = tools::tune::course_of(first, ratios({4, 1, 2.25, 9}), 1e-3);
    REQUIRE(course.size() == 4);
    CHECK(course[0].ratio == doctest::Approx(2)); // of rows 1 and 4
    CHECK(course[1].ratio == doctest::Approx(std::sqrt(2.0)));
    CHECK(!course[1].low);
    // The logarithms of 2, 1 and 1.5 have the mean 0.3662 and the standard error 0.2011; t is 4.303.
    CHECK(course[2].low.value() == doctest::Approx(std::exp(0.3662 - 4.303 * 0.2011)).epsilon(0.002));
    CHECK(course[2].high.value() == doctest::Approx(std::exp(0.3662 + 4.303 * 0.2011)).epsilon(0.002));
    auto const exact = tools::tune::course_of(first, {{{1, 1, 1}, {1, 1, 1}}}, 1e-3);
    CHECK(exact.size() == 3); // rounds of both
    CHECK(exact[2].high.value() == doctest::Approx(std::exp(4.303 * 1e-3 / std::sqrt(3.0))).epsilon(1e-5));
}

TEST_CASE("the test of a mean needs two values above 0, and exact values are no certainty") {
    using tools::tune::above_zero_p;
    std::vector<double> const one{1}, negative{-1, -1, -1}, exact{0.1, 0.1, 0.1}, equal{0, 0, 0};
    CHECK(above_zero_p(one, 1e-3) == 1);
    CHECK(above_zero_p(negative, 1e-3) == 1);
    CHECK(above_zero_p(equal, 1e-3) == 1);
    CHECK(above_zero_p(exact, 1e-3) == doctest::Approx(1.67e-5).epsilon(0.01)); // t = 173.2
    CHECK(above_zero_p(exact, 0.1) == doctest::Approx(0.1127).epsilon(0.01));   // t = 1.732
}

TEST_CASE("an alternative is dropped when it is surely slower in every row, and not before the third round") {
    race_criteria const criteria{.rounds = 10};
    std::vector<racer> all{one_row({1, 1.01}), one_row({2, 2.02})};
    CHECK(surely_slower(all, criteria).empty());
    all = {one_row({1, 1.01, 0.99}), one_row({2, 2.02, 1.98})};
    auto const dropped = surely_slower(all, criteria);
    REQUIRE(dropped.size() == 1);
    CHECK(dropped[0].index == 1);
    CHECK(dropped[0].ratio == doctest::Approx(2));
    for (auto& r : all) r.times.push_back({1, 1, 1}); // a row without a difference
    CHECK(surely_slower(all, criteria).empty());
}

TEST_CASE("an alternative that is faster than the default is dropped if another one is surely faster still") {
    std::vector<racer> const all{one_row({4, 4.04, 3.96}), one_row({2, 2.02, 1.98}), one_row({1, 1.01, 0.99})};
    auto const dropped = surely_slower(all, {.rounds = 10});
    REQUIRE(dropped.size() == 1);
    CHECK(dropped[0].index == 1);
}

TEST_CASE("the error of dropping is divided by the alternatives and the looks") {
    std::vector<racer> all{one_row({1, 1.01, 0.99}), one_row({1.08, 1.12, 1.12})}; // p is 0.009
    CHECK(surely_slower(all, {.rounds = 3}).size() == 1);
    CHECK(surely_slower(all, {.rounds = 100}).empty());
    for (int i = 0; i != 40; ++i) all.push_back(one_row({1, 1, 1}));
    CHECK(surely_slower(all, {.rounds = 3}).empty());
}

TEST_CASE("gains are corrected for all alternatives, also for those that left the race") {
    race_criteria const criteria{};
    std::vector<racer> all{one_row({2, 2.02, 1.98, 2}), one_row({1.9, 1.92, 1.87, 1.92}), one_row({1, 1, 1, 1})};
    auto const alone = gains_of({all[0], all[1]}, criteria)[1][0].p;
    all[2].is_racing = false;
    auto const gains = gains_of(all, criteria);
    CHECK(gains[1][0].p == doctest::Approx(2 * alone));
    CHECK(gains[1][0].ratio == doctest::Approx(0.951).epsilon(0.002));
    CHECK(gains[2][0].p == 1);
    CHECK(gains[2][0].ratio == 1);
}

TEST_CASE("the best of a row is promising, and the best of all rows is slower in none") {
    race_criteria const criteria{.effect = 0.03};
    std::vector<std::vector<gain>> const gains{{{}, {}},
                                               {{0.5, 0.01, 1}, {1.2, 1, 0.001}},    // slower in the second row
                                               {{0.6, 0.01, 1}, {1.2, 1, 0.2}},      // perhaps slower
                                               {{0.4, 0.2, 1}, {0.9, 0.2, 1}},       // not surely faster
                                               {{0.98, 0.001, 1}, {0.99, 0.01, 1}}}; // below the smallest effect
    CHECK(best_in_row(gains, 0, {1, 2, 3, 4}, criteria) == 1);
    CHECK_FALSE(best_in_row(gains, 1, {1, 2, 3, 4}, criteria));
    CHECK_FALSE(best_in_row(gains, 0, {3, 4}, criteria));
    CHECK(best_in_all_rows(gains, {1, 2, 3, 4}, criteria) == 2);
    CHECK_FALSE(best_in_all_rows(gains, {1, 3, 4}, criteria));
}

TEST_CASE("a confirmation has medians, the paired speed-up with its interval, and an outcome") {
    racer const before{{{4, 4, 4.2, 4, 4.1, 3.9}, {1, 1, 1, 1, 1, 1}, {1, 1.1, 1, 1.2, 1.1, 1.3}}},
        after{{{2, 2, 2.1, 2, 2, 2}, {1.01, 1.01, 1.01, 1.01, 1.01, 1.01}, {3, 3.3, 3, 3.6, 3.3, 3.9}}};
    auto const rows = confirm(before, after, {.effect = 0.03});
    CHECK(rows[0].before == doctest::Approx(4));
    CHECK(rows[0].speed_up == doctest::Approx(2));
    REQUIRE(rows[0].low);
    CHECK(*rows[0].low == doctest::Approx(1.95));
    CHECK(*rows[0].high == doctest::Approx(2.05));
    CHECK(rows[0].outcome == outcome::faster);
    CHECK(rows[1].outcome == outcome::undecided); // 1 % is below the smallest effect
    CHECK(rows[2].outcome == outcome::slower);
    CHECK(rows[2].speed_up == doctest::Approx(1.0 / 3));
    CHECK_FALSE(confirm(one_row({1, 2, 1, 2, 1}), one_row({1, 2, 1, 2, 1}), {})[0].low);
}

TEST_CASE("a confirmation has as many launches as its rows need") {
    CHECK(tools::tune::launches_to_confirm(1, 6, 0.05) == 6);
    CHECK(tools::tune::launches_to_confirm(24, 6, 0.05) == 7);
}

TEST_CASE(
    "of races without a difference, at most one in twenty reaches a confirmation, and none of its rows is named") {
    noisy_racers make{1};
    race_criteria const criteria{.rounds = 8, .resolution = 1e-3};
    int chosen = 0, named = 0;
    constexpr int races = 400;
    for (int race = 0; race != races; ++race) {
        std::vector<racer> all;
        for (int i = 0; i != 9; ++i) all.push_back(make(4, criteria.rounds, 1e-5));
        auto is_chosen = false;
        for (auto const& of_racer : gains_of(all, criteria))
            for (auto const& g : of_racer) is_chosen = is_chosen || is_promising(g, criteria);
        chosen += is_chosen;
        for (auto const& row : confirm(make(4, 8, 1e-5), make(4, 8, 1e-5), criteria))
            named += row.outcome != outcome::undecided;
    }
    CHECK(chosen <= races / 20);
    CHECK(named <= races / 20); // without the race before it
    MESSAGE(chosen << " of " << races << " races chose, " << named << " rows were named");
}

TEST_CASE("of races with a setting that is 1.5 times as fast, nearly all choose it, and the slow ones stop early") {
    noisy_racers make{2};
    race_criteria const criteria{.rounds = 10};
    int chosen = 0;
    std::size_t launches = 0;
    constexpr int races = 200;
    for (int race = 0; race != races; ++race) {
        std::vector<racer> all(4);
        auto full = std::vector<racer>{make(2, 10, 3e-5), make(2, 10, 2e-5), make(2, 10, 1e-4), make(2, 10, 6e-5)};
        for (auto& r : all) r.times.resize(2);
        for (std::size_t round = 0; round != criteria.rounds; ++round) {
            for (std::size_t i = 0; i != all.size(); ++i) {
                if (!all[i].is_racing) continue;
                for (std::size_t row = 0; row != 2; ++row) all[i].times[row].push_back(full[i].times[row][round]);
                launches += i >= 2;
            }
            for (auto const& d : surely_slower(all, criteria)) all[d.index].is_racing = false;
        }
        chosen += best_in_all_rows(gains_of(all, criteria), {1, 2, 3}, criteria) == 1u;
    }
    CHECK(chosen >= races * 8 / 10);
    CHECK(launches < races * 2 * 7); // of 20
    MESSAGE(chosen << " of " << races << " chose; a slow setting had " << static_cast<double>(launches) / (2.0 * races)
                   << " launches");
}
