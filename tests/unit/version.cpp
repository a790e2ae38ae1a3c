// SPDX-License-Identifier: BSL-1.0
#include <sonde/version.hpp>

#include <doctest/doctest.h>

#include <string>

#if SONDE_VERSION_NUMBER < 100
#error "the preprocessor does not compare SONDE_VERSION_NUMBER"
#endif

TEST_CASE("the version in the header is the project's") {
    CHECK(std::string{SONDE_VERSION} == SONDE_PROJECT_VERSION);
    CHECK(std::string{SONDE_VERSION}.find_first_not_of("0123456789.") == std::string::npos);
}

TEST_CASE("the numbers of the version are those of its text, and fit into the number to compare") {
    constexpr int parts[] = {SONDE_VERSION_MAJOR, SONDE_VERSION_MINOR, SONDE_VERSION_PATCH};
    CHECK(std::to_string(parts[0]) + '.' + std::to_string(parts[1]) + '.' + std::to_string(parts[2]) == SONDE_VERSION);
    CHECK(SONDE_VERSION_NUMBER == parts[0] * 10000 + parts[1] * 100 + parts[2]);
    CHECK(parts[1] < 100);
    CHECK(parts[2] < 100);
}
