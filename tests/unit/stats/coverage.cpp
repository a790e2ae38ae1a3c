// SPDX-License-Identifier: BSL-1.0
#include "../support.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
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
