// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

using namespace unit;

namespace {

std::vector<sonde::seconds> periodic(std::size_t n, std::size_t half_period) {
    std::vector<sonde::seconds> times;
    for (std::size_t i = 0; i != n; ++i) times.emplace_back(i / half_period % 2 == 0 ? 1.0 : 2.0);
    return times;
}

/// x_i = phi x_(i-1) + e_i: an autoregressive process.
std::vector<sonde::seconds> autoregressive(std::size_t n, double phi) {
    std::mt19937_64 bits{20'151'115};
    std::vector<sonde::seconds> times;
    double x = 0;
    for (std::size_t i = 0; i != n; ++i) {
        double e = -6;
        for (int k = 0; k != 12; ++k) e += static_cast<double>(bits() >> 11) * 0x1p-53;
        times.emplace_back(100 + (x = phi * x + e));
    }
    return times;
}

/// The autocorrelation time, term by term as the documentation defines it.
double time_by_definition(std::vector<sonde::seconds> const& times) {
    auto const n = times.size();
    auto const median = sonde::median(times);
    std::vector<double> below;
    double mean = 0;
    for (auto const t : times)
        mean += below.emplace_back(t < median ? 1 : t == median ? 0.5 : 0) / static_cast<double>(n);
    auto const covariance = [&](std::size_t lag) {
        double sum = 0;
        for (std::size_t i = lag; i < n; ++i) sum += (below[i] - mean) * (below[i - lag] - mean);
        return sum;
    };
    double tau = 1;
    for (std::size_t k = 1; k <= std::min<std::size_t>(n / 4, 500); ++k) {
        auto const rho = covariance(k) / covariance(0);
        if (rho <= 1 / std::sqrt(static_cast<double>(n))) break;
        tau += 2 * rho;
    }
    return tau;
}

} // namespace

TEST_CASE("the autocorrelation time of an alternating, constant or empty series is one sample") {
    CHECK(sonde::autocorrelation_time(periodic(100, 1)) == 1);
    CHECK(sonde::autocorrelation_time(std::vector<sonde::seconds>(50, sonde::seconds{3})) == 1);
    CHECK(sonde::autocorrelation_time({}) == 1);
    CHECK(sonde::autocorrelation_time(std::vector<sonde::seconds>(3, sonde::seconds{3})) == 1);
}

TEST_CASE("the autocorrelation time follows its definition: lags are added until one is noise") {
    // Of 15 adjacent pairs 12 are equal and 3 are not: rho_1 = 9/16; rho_2 = (8 - 6)/16 is below the noise, 1/4.
    CHECK(sonde::autocorrelation_time(periodic(16, 4)) == 1 + 2 * 9 / 16.0);
    // rho_k = (16 - 3 k)/16: that of k = 4 is 1/4.
    CHECK(sonde::autocorrelation_time(periodic(16, 8)) == 1 + 2 * (13 + 10 + 7) / 16.0);
}

TEST_CASE("the autocorrelation time follows its definition for a coarse clock, and for more lags than it takes") {
    auto coarse = autoregressive(1200, 0.9);
    for (auto& t : coarse) t = sonde::seconds{std::floor(t.count() / 3)};
    for (auto const& times : {coarse, periodic(1200, 600), periodic(4000, 2000)}) {
        auto const expected = time_by_definition(times);
        CHECK(expected > 2);
        CHECK(std::abs(sonde::autocorrelation_time(times) - expected) < 1e-9 * expected);
    }
}

TEST_CASE("a correlated series has the theoretical autocorrelation time, within its statistical error") {
    // Of indicators of a Gaussian AR(1) rho_k = (2 / pi) asin(phi^k); their sum is 0.69 for phi = 0.5, 2.7 for 0.8.
    for (auto const& [phi, expected] : {std::pair{0.0, 1.0}, {0.5, 2.4}, {0.8, 6.4}}) {
        double sum = 0;
        for (int k = 1; k != 200; ++k) sum += std::asin(std::pow(phi, k)) / std::asin(1.0);
        CHECK(std::abs(1 + 2 * sum - expected) < 0.1 * expected);
        auto const tau = sonde::autocorrelation_time(autoregressive(4000, phi));
        CHECK(tau > 0.8 * expected);
        CHECK(tau < 1.25 * expected);
    }
}

TEST_CASE("with an autocorrelation time of 4 the ranks of an interval are twice as far from the middle") {
    std::vector<sonde::seconds> numbered;
    for (int i = 1; i <= 200; ++i) numbered.emplace_back(i);
    auto const single_rank = *sonde::median_interval(numbered), four = *sonde::median_interval(numbered, 0.95, 4);
    CHECK(single_rank.low.count() == 86);
    CHECK(single_rank.high.count() == 115);
    CHECK(four.low.count() == 71); // 100.5 - 2 * 14.5 = 71.5, outwards
    CHECK(four.high.count() == 130);
    CHECK(sonde::median_interval(numbered, 0.95, 0.5)->low == single_rank.low); // never narrower
    CHECK_FALSE(sonde::median_interval(numbered, 0.95, 60).has_value());
}

TEST_CASE("percentile_bound is one-sided, and present if there are enough samples") {
    std::vector<sonde::seconds> numbered;
    for (int i = 1; i <= 299; ++i) numbered.emplace_back(i);
    CHECK(sonde::quantile_bound(numbered, 0.99)->count() == 299);
    numbered.pop_back();
    CHECK_FALSE(sonde::quantile_bound(numbered, 0.99).has_value());
    for (int i = 299; i <= 1000; ++i) numbered.emplace_back(i);
    CHECK(sonde::quantile_bound(numbered, 0.99)->count() == 996);
    CHECK(sonde::quantile_bound(numbered, 0.5)->count() == 527);
    CHECK(sonde::quantile_interval(numbered, 0.5)->high.count() > 527);   // the two-sided one is further out
    CHECK(sonde::quantile_bound(numbered, 0.5, 0.95, 4)->count() == 554); // 500 + 2 * 27
    CHECK_FALSE(sonde::quantile_bound(numbered, 0.99, 0.95, 4).has_value());
}

TEST_CASE("percentile_bound of correlated times at a low confidence is at least the shortest time") {
    std::vector<sonde::seconds> numbered;
    for (int i = 1; i <= 200; ++i) numbered.emplace_back(i);
    CHECK(sonde::quantile_bound(numbered, 0.05, 0.1)->count() == 7);
    CHECK(sonde::quantile_bound(numbered, 0.05, 0.1, 4)->count() == 4); // 10 - 2 * 3
    CHECK(sonde::quantile_bound(numbered, 0.05, 0.1, 100)->count() == 1);
}

TEST_CASE("percentile_bound of a record is corrected by the autocorrelation time of its series") {
    sonde::record r;
    r.series = autoregressive(4000, 0.8);
    auto const tau = sonde::autocorrelation_time(r.series);
    CHECK(tau > 4);
    CHECK(sonde::percentile_bound(r, 0.9) == sonde::quantile_bound(r.series, 0.9, 0.95, tau));
    CHECK(*sonde::percentile_bound(r, 0.9) > *sonde::quantile_bound(r.series, 0.9));
}

TEST_CASE("a series of 40 autocorrelation times is not correlated, a shorter one is") {
    CHECK_FALSE(sonde::detail::is_correlated(80, 2));
    CHECK(sonde::detail::is_correlated(79, 2));
    CHECK_FALSE(sonde::detail::is_correlated(1, 1));
    // The sum ends once it is above a limit, not at the limit.
    CHECK(sonde::detail::sum_autocorrelation(periodic(16, 4), sonde::seconds{1.5}, 1).time == 1 + 2 * 9 / 16.0);
}

TEST_CASE("a series is shorter than its memory by its lag-1 autocorrelation, which an outlier does not hide") {
    // Of 89 steps 8 are of the whole range: rho = 1 - 8 / 45, 0.92 with its bias and its error; 90 < 4 * 1.92 / 0.08.
    auto times = periodic(90, 10);
    CHECK(sonde::detail::is_shorter_than_memory(times));
    times[15] = sonde::seconds{1000};
    CHECK(sonde::detail::is_shorter_than_memory(times));
    CHECK_FALSE(sonde::detail::is_shorter_than_memory(periodic(100, 10))); // 0.91
}

TEST_CASE("estimate_median: a correlated series has the interval of the upper bound, or none; tau is the estimate") {
    auto times = periodic(60, 4);
    for (std::size_t i = 0; i != times.size(); ++i) times[i] += 1ms * static_cast<double>(i); // all different
    auto const tau = sonde::autocorrelation_time(times), bound = sonde::autocorrelation_time_bound(times);
    CHECK(sonde::detail::is_correlated(times.size(), tau));
    auto const found = sonde::estimate_median(times);
    CHECK(found.tau == tau);
    REQUIRE(found.interval.has_value());
    CHECK(found.interval->low == sonde::median_interval(times, 0.95, bound)->low);
    CHECK(found.interval->low < sonde::median_interval(times, 0.95, tau)->low);

    auto const memory = sonde::estimate_median(periodic(90, 10));
    CHECK(memory.tau == sonde::autocorrelation_time(periodic(90, 10)));
    CHECK_FALSE(memory.interval.has_value());
}

TEST_CASE("the relative error of an estimate is half the width of its interval over the median") {
    sonde::median_estimate const found{10s, 1, sonde::confidence_interval{9s, 11s}};
    CHECK(found.relative_error() == 0.1);
}

TEST_CASE("times outside Tukey's fences are counted on each side") {
    auto times = of_ns({10, 11, 12, 13, 14, 15, 16, 17, 18});
    times.push_back(8ns); // 1.5 quartile ranges below the third quartile, but not below the first
    CHECK(sonde::tukey_outliers(times).below == 0);
    times.pop_back();
    CHECK(sonde::tukey_outliers(times).above == 0);
    CHECK(sonde::tukey_outliers(times).below == 0);
    for (auto const t : {100, 200, 1}) times.emplace_back(std::chrono::nanoseconds{t});
    CHECK(sonde::tukey_outliers(times).above == 2);
    CHECK(sonde::tukey_outliers(times).below == 1);
}

TEST_CASE("a coarse clock does not hide correlation: readings equal to the median count for neither side") {
    std::vector<sonde::seconds> coarse; // 3 in 5 are 210: the median is the largest reading
    for (std::size_t i = 0; i != 200; ++i) coarse.emplace_back(i / 8 % 5 < 2 ? 200.0 : 210.0);
    CHECK(sonde::median(coarse).count() == 210);
    CHECK(sonde::autocorrelation_time(coarse) > 3);
}
