// SPDX-License-Identifier: BSL-1.0
#include <sonde/stat/autocorrelation.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace {

/// n times that change after every `row` equal ones.
std::vector<sonde::seconds> in_turns(std::size_t n, std::size_t row) {
    std::vector<sonde::seconds> times;
    for (std::size_t i = 0; i != n; ++i) times.emplace_back(i / row % 2 == 0 ? 1.0 : 2.0);
    return times;
}

} // namespace

TEST_CASE("the bound of an autocorrelation time is two standard errors above it, by the number of its lags") {
    CHECK(sonde::autocorrelation_time_bound(std::vector<sonde::seconds>(50, sonde::seconds{3})) == 1 + 2 * 0.2);
    CHECK(sonde::autocorrelation_time_bound(in_turns(50, 1)) == 1 + 2 * 0.2);
    // One lag: the standard error is sqrt(2 * 3 / 96) = 1/4 of 1 + 2 rho; of 95 adjacent pairs 64 are equal, 31 are
    // not.
    CHECK(sonde::autocorrelation_time(in_turns(96, 3)) == 1 + 2 * 33 / 96.0);
    CHECK(sonde::autocorrelation_time_bound(in_turns(96, 3)) == 1.5 * (1 + 2 * 33 / 96.0));
    CHECK_THROWS_AS(sonde::autocorrelation_time_bound({}), std::invalid_argument);
}
