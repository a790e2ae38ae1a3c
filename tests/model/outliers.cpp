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

/// Times of a size each, those of these numbers longer by a factor.
std::vector<double> times_of(std::vector<double> const& sizes, std::vector<std::size_t> const& slow, double factor) {
    std::vector<double> times;
    for (double const x : sizes) times.push_back(eager_rendezvous.time(bytes{x}).count());
    for (auto const i : slow) times[i] *= factor;
    return times;
}

std::vector<std::size_t> all_but(std::size_t n, std::vector<std::size_t> const& out) {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i != n; ++i)
        if (std::find(out.begin(), out.end(), i) == out.end()) left.push_back(i);
    return left;
}

} // namespace

TEST_CASE("single slow points, and two side by side, are left out; a break of lines leaves out none") {
    auto const sizes = exponents(0, 22, 1);
    for (std::vector<std::size_t> const& slow :
         {std::vector<std::size_t>{}, {4}, {4, 9}, {4, 5}, {18}, {18, 19}, {0}, {22}, {0, 10, 22}}) {
        auto const times = times_of(sizes, slow, 3);
        CHECK(isolated_outliers{sizes, times}.inliers() == all_but(23, slow));
    }
}

TEST_CASE("three slow points in a row are no outliers") {
    auto const sizes = exponents(0, 22, 1);
    auto const times = times_of(sizes, {4, 5, 6}, 3);
    CHECK(isolated_outliers{sizes, times}.inliers().size() == 23);
}

TEST_CASE("what is not farther off than noise stays, and so does all of few points") {
    auto const sizes = exponents(0, 22, 1);
    auto times = times_of(sizes, {4}, 1.05);
    CHECK(isolated_outliers{sizes, times}.inliers().size() == 23);
    std::vector<double> const few{1, 2, 3, 4, 5}, last{1, 1, 20, 1, 1};
    CHECK(isolated_outliers{few, last}.inliers().size() == 5);
}

TEST_CASE("another value at the same place is judged by the same lines") {
    auto const sizes = exponents(0, 22, 1);
    auto const times = times_of(sizes, {}, 1);
    isolated_outliers const found{sizes, times};
    CHECK(found.is_outlier(7, 3 * times[7]));
    CHECK_FALSE(found.is_outlier(7, 1.02 * times[7]));
}
