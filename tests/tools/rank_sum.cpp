// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"
#include "tools/compare/comparison.hpp"

#include <doctest/doctest.h>

namespace {

double p(std::vector<double> const& a, std::vector<double> const& b) {
    return tools::rank_sum_p(made::times(a), made::times(b));
}

/// n numbers: first, first + 2 ...
std::vector<double> ladder(int n, int first) {
    std::vector<double> all;
    for (int i = 0; i != n; ++i) all.push_back(first + 2 * i);
    return all;
}

/// n numbers: 0, 1, 2, 0, 1, 2 ..., of which the first `raised` of each `period` are larger by 1.
std::vector<double> steps(int n, int period, int raised) {
    std::vector<double> all;
    for (int i = 0; i != n; ++i) all.push_back(i % 3 + (i % period < raised));
    return all;
}

bool within(double part, double found, double expected) { return std::abs(found - expected) <= part * expected; }

} // namespace

TEST_CASE("disjoint samples have the smallest p, in either order") {
    CHECK(p({1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}) == 2.0 / 924);
    CHECK(p({7, 8, 9, 10, 11, 12}, {1, 2, 3, 4, 5, 6}) == 2.0 / 924);
    CHECK(p({1, 2, 3, 4}, {5, 6, 7, 8}) == 2.0 / 70);
    CHECK(p({1, 2}, {3, 4, 5}) == 2.0 / 10);
}

TEST_CASE("p is that of Mann and Whitney's tables for overlapping samples") {
    CHECK(p({1, 2, 3, 4, 6}, {5, 7, 8, 9, 10}) == 4.0 / 252); // U = 1
    CHECK(p({1, 2, 3, 5, 6}, {4, 7, 8, 9, 10}) == 8.0 / 252); // U = 2
    CHECK(p({1, 4}, {2, 3}) == 1);
}

TEST_CASE("ties get mean ranks, and p counts all permutations of them") {
    CHECK(p({1, 2, 2}, {2, 3, 3}) == 6.0 / 20);
    CHECK(p({1, 1}, {1, 2}) == 1);
    CHECK(p({5, 5, 5, 5}, {5, 5, 5, 5}) == 1);
}

TEST_CASE("many launches: the approximation is near the exact p, without ties and with many") {
    CHECK(within(0.15, p(ladder(40, 0), ladder(40, 17)), 0.003148498461523552));
    CHECK(within(0.02, p(steps(40, 7, 0), steps(40, 7, 3)), 0.046419735711572846));
    CHECK(p(steps(40, 7, 0), steps(40, 7, 0)) == 1);
    CHECK(p(std::vector<double>(40, 5), std::vector<double>(40, 5)) == 1);
}

TEST_CASE("the smallest p of any number of launches is positive and finite") {
    CHECK(tools::smallest_p(600, 600) > 0);
    CHECK(tools::smallest_p(600, 600) < 1e-100);
    CHECK(tools::smallest_p(100'000, 100'000) > 0);
}

TEST_CASE("an empty side has p = 1") { CHECK(p({}, {1, 2}) == 1); }

TEST_CASE("the smallest p follows from the number of launches, and the launches needed from that of rows") {
    CHECK(tools::smallest_p(6, 6) == 2.0 / 924);
    CHECK(tools::smallest_p(3, 5) == 2.0 / 56);
    CHECK(tools::smallest_p(1, 1) == 1);
    CHECK(tools::launches_needed(1, 0.05) == 4);
    CHECK(tools::launches_needed(23, 0.05) == 6); // 23 * 2 / 924 = 0.0498
    CHECK(tools::launches_needed(24, 0.05) == 7);
}

using list = std::vector<double>;

TEST_CASE("Holm: the smallest of four p times 4, the next times 3, and none below the one before") {
    CHECK(tools::holm({0.0625, 0.25, 0.125, 0.03125}) == list{0.1875, 0.25, 0.25, 0.125});
}
TEST_CASE("Holm: a single p stays, and none is above 1") {
    CHECK(tools::holm({0.03}) == list{0.03});
    CHECK(tools::holm({0.9, 0.8}) == list{1, 1});
    CHECK(tools::holm({}).empty());
}
