// SPDX-License-Identifier: BSL-1.0
#include "hockney_data.hpp"

#include <sonde/model/fit/outliers.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

using namespace hockney_data;
using sonde::model::bytes;
using sonde::model::detail::isolated_outliers;

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

} // namespace

TEST_CASE("single slow points, and two side by side, are outliers; a breakpoint makes none") {
    auto const sizes = exponents(0, 22, 1);
    for (std::vector<std::size_t> const& slow :
         {std::vector<std::size_t>{}, {4}, {4, 9}, {4, 5}, {18}, {18, 19}, {0}, {22}, {0, 10, 22}}) {
        auto const times = times_of(sizes, slow, 3);
        CHECK(inliers(sizes, times) == all_but(23, slow));
    }
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
