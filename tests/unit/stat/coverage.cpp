// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"
#include "coverage_series.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

using namespace unit;

// Coverage of the true median by its interval, with a fixed seed and without distributions of the standard library.

namespace {

using engine = std::mt19937_64;

double uniform(engine& bits) { return static_cast<double>(bits() >> 11) * 0x1p-53; }

/// exp of half a nearly normal deviate: skewed, median 1.
double skewed(engine& bits) {
    double sum = 0;
    for (int i = 0; i != 12; ++i) sum += uniform(bits);
    return std::exp(0.5 * (sum - 6));
}

/// Two paths through a network: 6 in 10 take 1 to 2, the others 5 to 6. The median is 1 + 5 / 6.
double bimodal(engine& bits) { return (uniform(bits) < 0.6 ? 1 : 5) + uniform(bits); }

struct counts {
    double covered; // fraction of intervals that contain the median
    double below;   // fraction above it
    double above;   // fraction below it
};

counts simulated(std::size_t n, double (*draw)(engine&), double median, double confidence) {
    constexpr int experiments = 4000;
    engine bits{20'151'115};
    int too_high = 0, too_low = 0;
    std::vector<sonde::seconds> times(n);
    for (int i = 0; i != experiments; ++i) {
        for (auto& t : times) t = sonde::seconds{draw(bits)};
        auto const found = sonde::median_interval(times, confidence).value();
        too_high += found.low.count() > median;
        too_low += found.high.count() < median;
    }
    auto const fraction = [](int count) { return static_cast<double>(count) / experiments; };
    return {fraction(experiments - too_high - too_low), fraction(too_high), fraction(too_low)};
}

} // namespace

TEST_CASE("the 95 % interval of the median covers in at least 94 % of cases, for any distribution, with misses on both "
          "sides") {
    for (std::size_t const n : {10u, 30u, 100u}) {
        CAPTURE(n);
        for (auto const& t : {simulated(n, skewed, 1.0, 0.95), simulated(n, bimodal, 1 + 5.0 / 6, 0.95)}) {
            CHECK(t.covered >= 0.94);
            CHECK(t.covered < 0.99);
            CHECK(t.below <= 0.035);
            CHECK(t.above <= 0.035);
        }
    }
}

TEST_CASE("the 99 % interval of the median covers in at least 98.5 % of cases, that of 90 % in 89 %") {
    CHECK(simulated(50, skewed, 1.0, 0.99).covered >= 0.985);
    CHECK(simulated(50, bimodal, 1 + 5.0 / 6, 0.90).covered >= 0.89);
    CHECK(simulated(50, bimodal, 1 + 5.0 / 6, 0.90).covered < 0.95);
}

namespace {

/// exp of a tenth of a normal AR(1) of phi = thousandths / 1000.
template <int thousandths>
constexpr coverage::source remembering{[](coverage::engine& bits, double& state) {
                                           constexpr double phi = thousandths / 1000.0;
                                           state = phi * state + std::sqrt(1 - phi * phi) * coverage::normal(bits);
                                           return std::exp(0.1 * state);
                                       },
                                       1};

constexpr coverage::source by_memory[] = {remembering<0>,   remembering<500>, remembering<800>,
                                          remembering<900>, remembering<980>, remembering<990>};

struct fractions {
    double given; // series with an interval or a bound
    double wrong; // series with one that misses
    double covered() const { return 1 - wrong / given; }
};

/// `misses(series)` is empty without an interval.
fractions of_series(std::size_t n, coverage::source from, auto misses) {
    int const experiments = n < 1000 ? 4000 : 1000;
    coverage::series drawn{from};
    int given = 0, wrong = 0;
    for (int i = 0; i != experiments; ++i) {
        drawn.restart();
        sonde::record r;
        auto const times = drawn.first(n);
        r.series.assign(times.begin(), times.end());
        auto const missed = misses(r);
        given += missed.has_value();
        wrong += missed.value_or(false);
    }
    return {static_cast<double>(given) / experiments, static_cast<double>(wrong) / experiments};
}

} // namespace

TEST_CASE(
    "an interval is wide or missing where a series is correlated: at most 7.5 % of all series have one that misses "
    "the median, and intervals that half of the series have cover in 92.5 %") {
    for (auto const& from : by_memory)
        for (std::size_t const n : {60u, 100u, 300u, 1000u}) {
            auto const found = of_series(n, from, [&](sonde::record const& r) -> std::optional<bool> {
                auto const interval = sonde::median_interval(r);
                if (!interval) return std::nullopt;
                return interval->high.count() < from.median || from.median < interval->low.count();
            });
            CAPTURE(&from - by_memory);
            CAPTURE(n);
            CAPTURE(found.given);
            CHECK(found.wrong <= 0.075);
            if (found.given >= 0.5) CHECK(found.covered() >= 0.925);
            if (&from == by_memory) CHECK(found.given == 1); // independent samples
        }
}

TEST_CASE("a bound of the 90th percentile is high or missing where a series is correlated") {
    double const ninetieth = std::exp(0.1 * 1.2815515655446004); // of a normal distribution
    for (auto const& from : by_memory)
        for (std::size_t const n : {100u, 300u, 1000u}) {
            auto const found = of_series(n, from, [&](sonde::record const& r) -> std::optional<bool> {
                auto const bound = sonde::percentile_bound(r, 0.9);
                return bound ? std::optional{bound->count() < ninetieth} : std::nullopt;
            });
            CAPTURE(&from - by_memory);
            CAPTURE(n);
            CAPTURE(found.given);
            CHECK(found.wrong <= 0.075);
        }
}

TEST_CASE("correlated series of a hundred samples are flagged, independent ones and long ones are not") {
    auto const flagged = [](std::size_t n, coverage::source const& from) {
        return of_series(n, from,
                         [](sonde::record r) {
                             r.initiators = 1;
                             return sonde::detail::flags_of(r).correlated ? std::optional{true} : std::nullopt;
                         })
            .given;
    };
    CHECK(flagged(100, by_memory[0]) < 0.01);
    CHECK(flagged(1000, by_memory[1]) < 0.01);
    CHECK(flagged(100, by_memory[3]) > 0.98);
    CHECK(flagged(1000, by_memory[5]) > 0.98);
}
