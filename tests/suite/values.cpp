// SPDX-License-Identifier: BSL-1.0
// Sizes in options, files and environment variables.
#include "suite/values.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>

using suite::size_in;

TEST_CASE(
    "a size is a whole number of bytes, also with B, with K, M, G or T for powers of 1024, or with KiB and so on") {
    CHECK(size_in("0") == std::size_t{0});
    CHECK(size_in("4096") == std::size_t{4096});
    CHECK(size_in("8B") == std::size_t{8});
    for (auto const* const kibibytes : {"64K", "64k", "64KiB", "64kib", "65536"})
        CHECK(size_in(kibibytes) == std::size_t{65536});
    CHECK(size_in("3m") == std::size_t{3} << 20);
    CHECK(size_in("5GiB") == std::size_t{5} << 30);
    CHECK(size_in("2T") == std::size_t{2} << 40);
    for (auto const* const wrong : {"", "K", "B", "4 M", "4MB", "4Ki", "4kk", "4X", "-1", "+1", "1.5K", "1e3", "nan"}) {
        CAPTURE(wrong);
        CHECK(size_in(wrong) == std::nullopt);
    }
}

TEST_CASE("a size has a limit, by default the largest of an object") {
    CHECK(size_in("9223372036854775807") == std::size_t{PTRDIFF_MAX});
    for (auto const* const wrong : {"9223372036854775808", "8796093022208M", "8388608T", "99999999999999999999"})
        CHECK(size_in(wrong) == std::nullopt);
    CHECK(size_in("1K", 1024) == std::size_t{1024});
    CHECK(size_in("1K", 1023) == std::nullopt);
    CHECK(size_in("1025", 1024) == std::nullopt);
}

TEST_CASE("the size of a heap may have a fraction, as OpenSHMEM has it, and is rounded down") {
    CHECK(size_in<double>("20.5m") == std::size_t{21495808});
    CHECK(size_in<double>("3.1M") == std::size_t{3250585});
    CHECK(size_in<double>("1e-3T") == std::size_t{1099511627});
    for (auto const* const wrong : {"", "M", "4MB", "-1", "-0.5K", "many", "nan", "inf", "1e19", "99999999T"})
        CHECK(size_in<double>(wrong) == std::nullopt);
}
