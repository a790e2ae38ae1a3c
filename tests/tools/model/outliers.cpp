// SPDX-License-Identifier: BSL-1.0
#include "hockney_data.hpp"

#include "tools/model/regression/hockney_fit.hpp"
#include "tools/model/regression/outliers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace hockney_data;
using sonde::seconds;
using sonde::model::bytes;
using sonde::model::hockney;
using tools::regression::fit;
using tools::regression::isolated_outliers;
using tools::regression::parameter_status;

namespace {

/// A time for each size, of which those with the numbers `slow` are longer by a factor.
std::vector<double> times_of(std::vector<double> const& sizes, std::vector<std::size_t> const& slow, double factor) {
    std::vector<double> times;
    for (double const x : sizes) times.push_back(eager_rendezvous.time(bytes{x}).count());
    for (auto const i : slow) times[i] *= factor;
    return times;
}

/// Indices of the points that are not outliers.
std::vector<std::size_t> inliers(std::vector<double> const& sizes, std::vector<double> const& times) {
    isolated_outliers const found{sizes, times};
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i != sizes.size(); ++i)
        if (!found.is_outlier(i, times[i])) indices.push_back(i);
    return indices;
}

std::vector<std::size_t> all_but(std::size_t n, std::vector<std::size_t> const& out) {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i != n; ++i)
        if (std::find(out.begin(), out.end(), i) == out.end()) left.push_back(i);
    return left;
}

/// Points of several launches in turn: the times of launch k are `factors[k]` times those of a line, to two decimals of
/// a microsecond.
std::vector<tools::model_point<hockney>> launches(std::vector<double> const& factors) {
    std::vector<tools::model_point<hockney>> points;
    for (double const factor : factors)
        for (double size = 16; size <= 16384; size *= 2)
            points.push_back({bytes{size}, seconds{1e-8 * std::round(factor * (200 + size / 100))}});
    return points;
}

bool has(std::string const& note, std::string const& text) { return note.find(text) != std::string::npos; }

} // namespace

TEST_CASE("single slow points, and two side by side, are outliers; a breakpoint makes none") {
    auto const sizes = exponents(0, 22, 1);
    for (std::vector<std::size_t> const& slow :
         {std::vector<std::size_t>{}, {4}, {4, 9}, {4, 5}, {18}, {18, 19}, {0}, {22}, {0, 10, 22}}) {
        auto const times = times_of(sizes, slow, 3);
        CHECK(inliers(sizes, times) == all_but(23, slow));
    }
}

TEST_CASE("single fast points are outliers, also beside slow ones") {
    auto const sizes = exponents(0, 22, 1);
    for (std::vector<std::size_t> const& fast :
         {std::vector<std::size_t>{4}, {4, 9}, {18}, {0}, {22}, {0, 10, 22}, {1}, {2, 20}}) {
        CAPTURE(fast.front());
        CHECK(inliers(sizes, times_of(sizes, fast, 1. / 3)) == all_but(23, fast));
    }
    auto both = times_of(sizes, {6, 12}, 3);
    both[0] /= 5;
    CHECK(inliers(sizes, both) == all_but(23, {0, 6, 12}));
    CHECK(inliers(sizes, times_of(sizes, {9, 11}, 3)) == all_but(23, {9, 11}));
    CHECK(inliers(sizes, times_of(sizes, {4}, 0.95)).size() == 23);
}

TEST_CASE("of 500 series with noise of 10 % at most 1 % have an outlier, slow or fast") {
    auto const sizes = exponents(0, 22, 1);
    std::mt19937_64 bits{1};
    std::lognormal_distribution<double> noise{0, 0.1};
    int found = 0;
    for (int trial = 0; trial != 500; ++trial) {
        auto times = times_of(sizes, {}, 1);
        for (auto& t : times) t *= noise(bits);
        found += inliers(sizes, times).size() != 23;
    }
    CHECK(found <= 5);
}

TEST_CASE("three slow points in a row are not outliers") {
    auto const sizes = exponents(0, 22, 1);
    auto const times = times_of(sizes, {4, 5, 6}, 3);
    CHECK(inliers(sizes, times).size() == 23);
}

TEST_CASE("a deviation within the noise is not an outlier, and few points have none") {
    auto const sizes = exponents(0, 22, 1);
    auto times = times_of(sizes, {4}, 1.05);
    CHECK(inliers(sizes, times).size() == 23);
    std::vector<double> const few{1, 2, 3, 4, 5}, last{1, 1, 20, 1, 1};
    CHECK(inliers(few, last).size() == 5);
}

TEST_CASE("a new value at a known position is compared with the same lines") {
    auto const sizes = exponents(0, 22, 1);
    auto const times = times_of(sizes, {}, 1);
    isolated_outliers const found{sizes, times};
    CHECK(found.is_outlier(7, 3 * times[7]));
    CHECK_FALSE(found.is_outlier(7, 1.02 * times[7]));
}

TEST_CASE("launches that differ are noise: none is left out, the interval has the middle, and the note says so") {
    for (std::vector<double> const& factors : {std::vector<double>{1, 1.3},
                                               {1, 1.3, 1, 1.3},
                                               {1, 1, 1.3},
                                               {1, 1, 1, 1, 1.3, 1.3},
                                               {1, 1, 1, 1, 1, 1.3, 1.3, 1.3, 1.3, 1.3},
                                               {1, 1.1, 1.2, 1.3}}) {
        auto const points = launches(factors);
        auto const found = fit(points);
        CHECK(found.points == points.size());
        CHECK(has(found.note, "launches differ by "));
        CHECK_FALSE(has(found.note, "left out"));
        auto const alpha = found("alpha");
        CHECK(alpha.status == parameter_status::determined);
        auto const middle =
            2e-6 * std::accumulate(factors.begin(), factors.end(), 0.) / static_cast<double>(factors.size());
        CHECK(alpha.high > middle);
        CHECK(alpha.low < middle);
    }
}

TEST_CASE("a slow time of one launch is left out beside equal times and beside launches that differ a little") {
    for (std::vector<double> const& factors : {std::vector<double>{1, 1, 1}, {1, 1.01, 1.02, 1}}) {
        auto points = launches(factors);
        auto const whole = points.size();
        points[5].time *= 3;
        points[18].time *= 3;
        auto const found = fit(points);
        CHECK(found.points == whole - 2);
        CHECK(has(found.note, "2 outliers left out: "));
        CHECK_FALSE(has(found.note, "launches"));
    }
}

TEST_CASE("at most a fifth of the times are outliers, however many launches there are, and however they differ") {
    for (std::size_t n = 1; n <= 12; ++n)
        for (std::size_t slow = 0; slow <= n; ++slow)
            for (double const factor : {1.2, 1.3, 2., 5.}) {
                std::vector<double> factors(n, 1);
                std::fill_n(factors.begin(), slow, factor);
                auto points = launches(factors);
                for (std::size_t i = 3; i < points.size(); i += 13) points[i].time *= 4;
                tools::regression::sort_by_size(points);
                CAPTURE(n);
                CAPTURE(slow);
                auto const whole = points.size();
                auto const left_out = tools::regression::remove_outliers(points, {&tools::model_point<hockney>::time},
                                                                         tools::regression::lower_median,
                                                                         tools::regression::outlier_sides::both);
                CHECK(left_out.size() <= whole / 5);
                CHECK(left_out.size() + points.size() == whole);
            }
}

TEST_CASE("times of one launch, or of launches with different sizes, have no note of launches") {
    CHECK(fit(launches({1})).note.empty());
    CHECK(fit(launches({1, 1, 1})).note.empty());
    auto points = launches({1, 1.3});
    points.pop_back();
    CHECK_FALSE(has(fit(points).note, "launches"));
}
