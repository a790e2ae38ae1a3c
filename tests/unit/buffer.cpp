// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;
using sonde::rotating;

TEST_CASE("slice: the same region, again and again") {
    std::vector<std::byte> bytes(10);
    sonde::slice const buffer{bytes};
    for (int i = 0; i != 3; ++i) {
        CHECK(buffer.next().data() == bytes.data());
        CHECK(buffer.next().size() == 10);
    }
    CHECK(buffer.size() == 10);
    CHECK(sonde::slice{}.size() == 0);
}

namespace {

/// Where the next regions begin.
std::vector<std::ptrdiff_t> starts(rotating buffer, std::vector<std::byte> const& bytes, int count) {
    std::vector<std::ptrdiff_t> all;
    for (int i = 0; i != count; ++i) {
        auto const here = buffer.next();
        CHECK(here.size() == buffer.size());
        CHECK(here.data() >= bytes.data());
        CHECK(here.data() + here.size() <= bytes.data() + bytes.size());
        all.push_back(here.data() - bytes.data());
    }
    return all;
}

using offsets = std::vector<std::ptrdiff_t>;

} // namespace

TEST_CASE("rotating: regions at multiples of the stride, then from the start again") {
    std::vector<std::byte> bytes(100);
    CHECK(starts({bytes, 10, 30}, bytes, 9) == offsets{0, 30, 60, 90, 0, 30, 60, 90, 0});
    CHECK(starts({bytes, 11, 30}, bytes, 5) == offsets{0, 30, 60, 0, 30}); // the fourth would stand out
    CHECK(starts({bytes, 25, 25}, bytes, 5) == offsets{0, 25, 50, 75, 0});
    CHECK(starts({bytes, 60, 60}, bytes, 3) == offsets{0, 0, 0});
    CHECK(starts({bytes, 100, 100}, bytes, 2) == offsets{0, 0});
}

TEST_CASE("regions: after how many messages a buffer's regions repeat, 1 where it does not say") {
    std::vector<std::byte> bytes(100);
    CHECK(sonde::regions(rotating(bytes, 10, 30)) == 4);
    CHECK(sonde::regions(rotating(bytes, 11, 30)) == 3);
    CHECK(sonde::regions(rotating(bytes, 60, 60)) == 1);
    CHECK(sonde::regions(sonde::slice{bytes}) == 1);
}

TEST_CASE("rotating: empty messages have places too") {
    std::vector<std::byte> bytes(10);
    CHECK(starts({bytes, 0, 5}, bytes, 4) == offsets{0, 5, 10, 0});
}

TEST_CASE("rotating: regions that would overlap or stand out are refused") {
    std::vector<std::byte> bytes(100);
    CHECK_THROWS_AS(rotating(bytes, 10, 9), std::invalid_argument);
    CHECK_THROWS_AS(rotating(bytes, 0, 0), std::invalid_argument);
    CHECK_THROWS_AS(rotating(bytes, 101, 128), std::invalid_argument);
    CHECK(rotating(bytes, 10, 10).size() == 10);
}
