// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace unit;
using sonde::host_allocation;

namespace {

/// A memory that counts its allocations.
struct counted {
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = false;
    int* lent;

    void* allocate(std::size_t n) const {
        ++*lent;
        return ::operator new(n);
    }
    void deallocate(void* p, std::size_t) const {
        --*lent;
        ::operator delete(p);
    }
    void fill(sonde::region, std::byte) const {}
};

/// The offsets of n regions.
std::vector<std::size_t> starts(sonde::rotating buffer, sonde::region bytes, std::size_t n) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i != n; ++i) all.push_back(static_cast<std::size_t>(buffer.next().data() - bytes.data()));
    return all;
}

} // namespace

TEST_CASE("host_memory: aligned to pages of up to 64 KiB; filled byte by byte") {
    host_allocation bytes{100'000};
    CHECK(reinterpret_cast<std::uintptr_t>(bytes.bytes().data()) % 65536 == 0);
    bytes.fill(std::byte{0xa5});
    CHECK(std::all_of(bytes.bytes().begin(), bytes.bytes().end(), [](std::byte b) { return b == std::byte{0xa5}; }));
    sonde::host_memory{}.fill(bytes.bytes().subspan(10, 5), std::byte{1});
    CHECK(std::count(bytes.bytes().begin(), bytes.bytes().end(), std::byte{1}) == 5);
    CHECK(bytes.bytes()[9] == std::byte{0xa5});
    CHECK(bytes.bytes()[10] == std::byte{1});
}

TEST_CASE("allocation: freed once, by its last owner after a move") {
    int lent = 0;
    {
        sonde::allocation<counted> first{8, counted{&lent}};
        CHECK(lent == 1);
        auto const second = std::move(first);
        CHECK(first.bytes().empty());
        CHECK(second.bytes().size() == 8);
        CHECK_THROWS_AS(first.first(1), std::length_error);
    }
    CHECK(lent == 0);
}

TEST_CASE("allocation: of 0 bytes calls no allocate()") {
    int lent = 0;
    sonde::allocation<counted> none{0, counted{&lent}};
    CHECK(lent == 0);
    CHECK(none.first(0).size() == 0);
    host_allocation empty{0};
    empty.fill(std::byte{1});
}

TEST_CASE("first: the first n bytes; more than the allocation has are refused") {
    host_allocation const bytes{100};
    CHECK(bytes.first(40).next().data() == bytes.bytes().data());
    CHECK(bytes.first(40).size() == 40);
    CHECK(bytes.first(100).size() == 100);
    CHECK_THROWS_AS(bytes.first(101), std::length_error);
}

TEST_CASE("distinct_regions: the requested number of regions, two cache lines apart, then the first again") {
    host_allocation const bytes{4096};
    CHECK(starts(bytes.distinct_regions(8, 3), bytes.bytes(), 4) == std::vector<std::size_t>{0, 256, 512, 0});
    CHECK(starts(bytes.distinct_regions(129, 2), bytes.bytes(), 3) == std::vector<std::size_t>{0, 384, 0});
    CHECK(starts(bytes.distinct_regions(0, 2), bytes.bytes(), 3) == std::vector<std::size_t>{0, 128, 0});
    CHECK(starts(bytes.distinct_regions(300, 1), bytes.bytes(), 2) == std::vector<std::size_t>{0, 0});
}

TEST_CASE("a range that overflows the address space is refused like one beyond the end") {
    auto const most = std::numeric_limits<std::size_t>::max();
    host_allocation bytes{4096};
    std::byte eight[8]{};
    for (std::size_t const at : {std::size_t{4089}, std::size_t{4097}, most, most - 7, most - 3}) {
        CHECK_THROWS_AS(bytes.write(at, eight), std::length_error);
        CHECK_THROWS_AS(bytes.read(at, eight), std::length_error);
    }
    CHECK_NOTHROW(bytes.write(4088, eight));
    CHECK_THROWS_AS(bytes.distinct_regions(8, (most >> 8) + 2),
                    std::length_error); // the product of that many strides of 256 overflows
    CHECK_THROWS_AS(bytes.distinct_regions(most, 1), std::length_error);
    host_allocation const two_caches{2 * sonde::last_level_cache()};
    CHECK_THROWS_AS(two_caches.cold(most), std::length_error);
}

TEST_CASE("an allocation of a negative number of bytes, or of more than there can be, is refused") {
    auto const most = std::numeric_limits<std::size_t>::max();
    for (auto const bytes : {most, most - 65534, most / 2 + 1}) // operator new rounds the first two up to 0
        CHECK_THROWS_WITH_AS(host_allocation{bytes},
                             ("sonde::allocation: no memory has " + std::to_string(bytes) + " bytes").c_str(),
                             std::length_error);
}

TEST_CASE("distinct_regions: an exact fit is accepted, a byte less refused") {
    host_allocation const enough{2 * 256 + 8}, too_few{2 * 256 + 7}, page{4096};
    CHECK(enough.distinct_regions(8, 3).size() == 8);
    CHECK_THROWS_AS(too_few.distinct_regions(8, 3), std::length_error);
    CHECK_THROWS_AS(page.distinct_regions(8, 0), std::length_error);
}

TEST_CASE("regions begin on cache lines of their own, and at least 127 bytes lie between them") {
    for (std::size_t n = 0; n != 1000; ++n) {
        CHECK(host_allocation::stride_of(n) % 128 == 0);
        CHECK(host_allocation::stride_of(n) - n >= 127);
        CHECK(host_allocation::stride_of(n) - n <= 256);
    }
}

TEST_CASE("cold: regions cover at least two last-level caches before one repeats") {
    for (std::size_t const n : {std::size_t{8}, std::size_t{100'000}, 3 * sonde::last_level_cache()}) {
        host_allocation const bytes{host_allocation::cold_bytes(n)};
        auto buffer = bytes.cold(n);
        auto const begin = buffer.next().data();
        std::size_t regions = 1, farthest = 0;
        for (auto at = buffer.next().data(); at != begin; at = buffer.next().data()) {
            farthest = std::max(farthest, static_cast<std::size_t>(at - begin) + host_allocation::stride_of(n));
            ++regions;
        }
        CHECK(regions >= 2);
        CHECK(farthest + host_allocation::stride_of(n) > 2 * sonde::last_level_cache());
    }
}

TEST_CASE("cold: an allocation that fits a cache is refused") {
    host_allocation const too_few{host_allocation::cold_bytes(8) - 1};
    CHECK_THROWS_AS(too_few.cold(8), std::length_error);
    CHECK(host_allocation::cold_bytes(8) == 2 * sonde::last_level_cache());
    CHECK(sonde::last_level_cache() > 0);
}
