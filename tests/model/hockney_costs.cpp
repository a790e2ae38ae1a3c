// SPDX-License-Identifier: BSL-1.0
#include <sonde/model/fit/line_costs.hpp>

#include <doctest/doctest.h>

#include <cmath>

using sonde::model::line_costs;

TEST_CASE("a line costs the squares of its relative residuals, and nothing where it meets all points") {
    line_costs const costs{{1, 2, 3, 4}, {1e-6, 2e-6, 3e-6, 8e-6}};
    CHECK(costs(0, 3) < 1e-20);
    CHECK(costs(0, 4) > 0.01);
}

TEST_CASE("there is no line of fewer than 3 points, of one size, or of some of the points of a size") {
    line_costs const costs{{1, 2, 3, 3, 3, 3, 4}, {1, 2, 3, 3, 3, 3, 4}};
    CHECK(std::isinf(costs(0, 2)));
    CHECK(std::isinf(costs(0, 3)));
    CHECK(std::isinf(costs(2, 6)));
    CHECK(std::isinf(costs(3, 7)));
    CHECK(costs(0, 6) < 1e-20);
    CHECK(costs(2, 7) < 1e-20);
}
