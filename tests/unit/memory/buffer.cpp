// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;
using sonde::rotating;

TEST_CASE("slice: each message has the same region") {
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

/// The offsets of the next regions.
std::vector<std::ptrdiff_t> offsets_of(rotating buffer, std::vector<std::byte> const& bytes, int count) {
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

TEST_CASE("rotating: regions are at multiples of the stride, then from the start again") {
    std::vector<std::byte> bytes(100);
    CHECK(offsets_of({bytes, 10, 30}, bytes, 9) == offsets{0, 30, 60, 90, 0, 30, 60, 90, 0});
    CHECK(offsets_of({bytes, 11, 30}, bytes, 5) == offsets{0, 30, 60, 0, 30}); // the fourth would exceed the end
    CHECK(offsets_of({bytes, 25, 25}, bytes, 5) == offsets{0, 25, 50, 75, 0});
    CHECK(offsets_of({bytes, 60, 60}, bytes, 3) == offsets{0, 0, 0});
    CHECK(offsets_of({bytes, 100, 100}, bytes, 2) == offsets{0, 0});
}

TEST_CASE("regions: the number of messages after which a buffer's regions repeat, 1 by default") {
    std::vector<std::byte> bytes(100);
    CHECK(sonde::regions(rotating(bytes, 10, 30)) == 4);
    CHECK(sonde::regions(rotating(bytes, 11, 30)) == 3);
    CHECK(sonde::regions(rotating(bytes, 60, 60)) == 1);
    CHECK(sonde::regions(sonde::slice{bytes}) == 1);
}

TEST_CASE("rotating: empty messages have regions too") {
    std::vector<std::byte> bytes(10);
    CHECK(offsets_of({bytes, 0, 5}, bytes, 4) == offsets{0, 5, 10, 0});
}

TEST_CASE("rotating: overlapping regions, and regions beyond the end, are refused") {
    std::vector<std::byte> bytes(100);
    CHECK_THROWS_AS(rotating(bytes, 10, 9), std::invalid_argument);
    CHECK_THROWS_AS(rotating(bytes, 0, 0), std::invalid_argument);
    CHECK_THROWS_AS(rotating(bytes, 101, 128), std::invalid_argument);
    CHECK(rotating(bytes, 10, 10).size() == 10);
}
