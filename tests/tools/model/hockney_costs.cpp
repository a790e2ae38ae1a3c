// SPDX-License-Identifier: BSL-1.0
#include "tools/model/regression/segmented_regression.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

using tools::regression::regression_point;
using tools::regression::segment_costs;

namespace {

segment_costs costs_of(std::vector<double> const& x, std::vector<double> const& y) {
    std::vector<regression_point> points;
    for (std::size_t i = 0; i != x.size(); ++i) points.push_back({x[i], y[i]});
    return segment_costs{points};
}

} // namespace

TEST_CASE("a segment's cost is the sum of squared relative residuals, and 0 for exact points") {
    auto const costs = costs_of({1, 2, 3, 4, 5}, {1e-6, 2e-6, 3e-6, 4e-6, 10e-6});
    CHECK(costs(0, 4) < 1e-20);
    CHECK(costs(0, 5) > 0.01);
}

TEST_CASE("points of equal x are one position, whose cost is that of all of them") {
    auto const once = costs_of({1, 2, 3, 4}, {1, 2.1, 3, 4}), twice = costs_of({1, 2, 2, 3, 4}, {1, 2.1, 2.1, 3, 4});
    CHECK(twice.size() == 4);
    CHECK(twice.points(0, 2).size() == 3);
    CHECK(twice(0, 4) > 1.1 * once(0, 4));
    auto const spread =
        costs_of({1, 1, 2, 2}, {0.5, 1, 2, 2});   // 1 / 1.5 is optimal here: 1 / 9 + 4 / 9 without weights
    CHECK(std::fabs(spread(0, 2) - 0.2) < 1e-12); // 0.6 / 0.5 - 1 and 0.6 / 1 - 1
}

TEST_CASE("a segment has at least 4 points if there are more, and at least two positions") {
    auto const costs = costs_of({1, 2, 3, 3, 3, 3, 4}, {1, 2, 3, 3, 3, 3, 4});
    CHECK(costs(0, 2) == sonde::model::unlimited);
    CHECK(costs(2, 3) == sonde::model::unlimited);
    CHECK(costs(0, 3) < 1e-20);
    CHECK(costs(2, 4) < 1e-20);
    CHECK(costs_of({1, 2, 3}, {1, 2, 3})(0, 3) < 1e-20);
}
