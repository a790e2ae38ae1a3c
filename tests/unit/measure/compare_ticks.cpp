// SPDX-License-Identifier: BSL-1.0

// Comparisons of times without noise, of two values, and in ticks of a clock.

#include "../../support.hpp"
#include "../stat/coarse_series.hpp"

#include <sonde/measure/compare.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using namespace unit;
using sonde::outcome;

namespace {

sonde::comparison of(std::vector<std::vector<sonde::seconds>> alternatives, sonde::seconds resolution,
                     std::size_t batch = 1) {
    sonde::comparison found;
    for (auto& series : alternatives) {
        auto& r = found.records.emplace_back();
        r.series = std::move(series);
        r.batch = batch;
        r.clock_properties.resolution = resolution;
    }
    return found;
}

/// 20 rounds of these constant times in nanoseconds.
sonde::comparison constant(std::vector<double> const& times, double resolution, std::size_t batch = 1) {
    std::vector<std::vector<sonde::seconds>> all;
    for (auto const t : times) all.emplace_back(20, sonde::seconds{1e-9 * t});
    return of(std::move(all), sonde::seconds{1e-9 * resolution}, batch);
}

} // namespace

TEST_CASE("compare: without noise and in ticks, three times slower is slower, and equal alternatives are undecided") {
    for (auto const& kind : coarse_kinds()) {
        CAPTURE(kind.name);
        int slower = 0, faster = 0, decided = 0;
        for (unsigned seed = 1; seed <= 50; ++seed) {
            auto const series = [&](double ns, unsigned alternative) {
                return coarse_series(kind, ns, 60, 4 * seed + alternative);
            };
            auto const found =
                of({series(390, 0), series(1170, 1), series(130, 2), series(390, 3)}, sonde::seconds{1e-9 * kind.tick});
            slower += sonde::classify(found, 1) == outcome::slower;
            faster += sonde::classify(found, 2) == outcome::faster && sonde::fastest(found) == 2;
            decided += sonde::classify(found, 3) != outcome::undecided;
        }
        CHECK(slower == 50);
        CHECK(faster == 50);
        CHECK(decided <= 2); // 5 % in all
    }
}
TEST_CASE("compare: alternatives whose readings differ by one tick are undecided, by two ticks decided") {
    CHECK(sonde::classify(constant({100, 110}, 10), 1) == outcome::undecided);
    CHECK(sonde::classify(constant({110, 100}, 10), 1) == outcome::undecided);
    CHECK(sonde::classify(constant({100, 120}, 10), 1) == outcome::slower);
    CHECK(sonde::classify(constant({120, 100}, 10), 1) == outcome::faster);
    CHECK(sonde::classify(constant({100, 110}, 10, 10), 1) == outcome::slower); // of 10 iterations: a tick of 1 ns
    CHECK(sonde::classify(constant({100, 101}, 10, 10), 1) == outcome::undecided);
    CHECK(sonde::classify(constant({100, 101}, 0), 1) == outcome::slower); // an exact clock
}
TEST_CASE("compare: readings of 0 have finite speed-ups") {
    CHECK(sonde::speedup(constant({10, 0}, 10), 1) == 1);
    CHECK(sonde::classify(constant({10, 0}, 10), 1) == outcome::undecided);
    CHECK(sonde::classify(constant({30, 0}, 10), 1) == outcome::faster);
    CHECK(sonde::classify(constant({0, 30}, 10), 1) == outcome::slower);
    auto const exact = constant({50, 0, 50}, 0);
    CHECK(ns(sonde::seconds{sonde::speedup(exact, 1) * 1e-9}) == 50'000); // 0 counts as 1 ps
    CHECK(sonde::fastest(exact) == 1);
    CHECK(sonde::classify(constant({0, 50}, 0), 1) == outcome::slower);
    CHECK(sonde::classify(constant({0, 0}, 10), 1) == outcome::undecided);
}
TEST_CASE("compare: the rounds that an outcome needs, of any number of alternatives") {
    CHECK(sonde::rounds_needed(2) == 12);
    CHECK(sonde::rounds_needed(3) == 13);
    CHECK(sonde::rounds_needed(4) == 14);
    CHECK(sonde::rounds_needed(9) == 16);
    CHECK(sonde::rounds_needed(2, 0.99) == 15);
    for (auto const percent : {95., 0., 1.})
        CHECK_THROWS_AS(static_cast<void>(sonde::rounds_needed(2, percent)), std::invalid_argument);
    for (std::size_t count = 2; count != 12; ++count)
        for (std::size_t rounds = 1; rounds != 20; ++rounds) {
            std::vector<std::vector<sonde::seconds>> all(count, std::vector(rounds, sonde::seconds{3}));
            all[1].assign(rounds, sonde::seconds{1});
            auto const found = of(std::move(all), {});
            auto const enough = rounds >= sonde::rounds_needed(count);
            CHECK((sonde::classify(found, 1) == outcome::faster) == enough);
            auto const surely = rounds >= sonde::rounds_needed(count, 0.99);
            CHECK((sonde::classify(found, 1, {.confidence = 0.99}) == outcome::faster) == surely);
            auto const needed = sonde::rounds_needed(found, 1);
            CHECK(needed.value_or(rounds) == (enough ? rounds : sonde::rounds_needed(count)));
            CHECK(needed.has_value() == !enough);
        }
}
TEST_CASE("compare: correlated rounds need more") {
    std::vector<sonde::seconds> in_a_row;
    for (int i = 0; i != 16; ++i) in_a_row.emplace_back(i < 8 ? 1.1 : 0.9);
    auto const found = of({std::vector(16, sonde::seconds{1}), in_a_row}, {});
    REQUIRE(!sonde::speedup_interval(found, 1));
    CHECK(sonde::rounds_needed(found, 1).value() > 16);
}
TEST_CASE("compare: the outcome in words says how many rounds it needs") {
    auto const of_rounds = [](std::size_t n) {
        std::vector<std::vector<sonde::seconds>> all(4, std::vector(n, sonde::seconds{3}));
        all[1].assign(n, sonde::seconds{1});
        return of(std::move(all), {});
    };
    CHECK(sonde::outcome_text(of_rounds(8), 1) == "undecided: 8 rounds of at least 14");
    CHECK(sonde::outcome_text(of_rounds(8), 1, {.confidence = 0.99}) == "undecided: 8 rounds of at least 17");
    CHECK(sonde::outcome_text(of_rounds(16), 1) == "faster");
    CHECK(sonde::outcome_text(of_rounds(16), 2) == "undecided");
}

TEST_CASE_FIXTURE(one_rank, "fastest of a group: with the criterion that a comparison takes") {
    auto const base = [&] { clock.advance(10us); };
    auto const quicker = [&] { clock.advance(8us); };
    CHECK(sonde::fastest(group, plan(20), base, quicker) == 1);
    CHECK(sonde::fastest(group, plan(20), {.gain = 0.2}, base, quicker) == 1);
    CHECK(sonde::fastest(group, plan(20), {.gain = 0.3}, base, quicker) == 0);
    sonde::criterion const large{.gain = 0.3};
    CHECK(sonde::fastest(group, plan(20), large, base, quicker) == 0);
}
