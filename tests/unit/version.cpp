// SPDX-License-Identifier: BSL-1.0
#include <sonde/version.hpp>

#include <doctest/doctest.h>

#include <string>

TEST_CASE("the version in the header is the project's") {
    CHECK(std::string{SONDE_VERSION} == SONDE_PROJECT_VERSION);
    CHECK(std::string{SONDE_VERSION}.find_first_not_of("0123456789.") == std::string::npos);
}
