// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/comparison.hpp"

#include <doctest/doctest.h>

using list = std::vector<double>;

TEST_CASE("Holm: the smallest of four p times 4, the next times 3, and none below the one before") {
    CHECK(tools::holm({0.0625, 0.25, 0.125, 0.03125}) == list{0.1875, 0.25, 0.25, 0.125});
}
TEST_CASE("Holm: a single p stays, and none is above 1") {
    CHECK(tools::holm({0.03}) == list{0.03});
    CHECK(tools::holm({0.9, 0.8}) == list{1, 1});
    CHECK(tools::holm({}).empty());
}
