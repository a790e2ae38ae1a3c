// SPDX-License-Identifier: BSL-1.0
#include <sonde/measure/plan.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

namespace {

using list = std::vector<std::size_t>;

list listed(std::size_t first, std::size_t last) {
    list found;
    for (auto const n : sonde::sizes(first, last)) found.push_back(n);
    return found;
}

constexpr auto greatest = std::numeric_limits<std::size_t>::max();

} // namespace

TEST_CASE("sizes: doubles from the first to the last") {
    CHECK(listed(1, 16) == list{1, 2, 4, 8, 16});
    CHECK(listed(1, 1 << 22).size() == 23);
}

TEST_CASE("sizes: the first need not be a power of two, and the last need not be hit") {
    CHECK(listed(3, 100) == list{3, 6, 12, 24, 48, 96});
    CHECK(listed(3, 96) == list{3, 6, 12, 24, 48, 96});
    CHECK(listed(3, 95) == list{3, 6, 12, 24, 48});
    CHECK(listed(5, 9) == list{5});
}

TEST_CASE("sizes: from 0, then 1, and so on") {
    CHECK(listed(0, 5) == list{0, 1, 2, 4});
    CHECK(listed(0, 1) == list{0, 1});
    CHECK(listed(0, 0) == list{0});
}

TEST_CASE("sizes: one size if first and last are equal") {
    CHECK(listed(7, 7) == list{7});
    CHECK(listed(greatest, greatest) == list{greatest});
}

TEST_CASE("sizes: ends at the largest numbers without overflow") {
    CHECK(listed(greatest / 2, greatest) == list{greatest / 2, greatest - 1});
    CHECK(listed(1, greatest).size() == std::numeric_limits<std::size_t>::digits);
    CHECK(listed(greatest / 2 + 1, greatest) == list{greatest / 2 + 1});
}

TEST_CASE("sizes: a last below the first is refused") {
    CHECK_THROWS_AS(sonde::sizes(8, 4), std::invalid_argument);
    CHECK_THROWS_AS(sonde::sizes(1, 0), std::invalid_argument);
}
