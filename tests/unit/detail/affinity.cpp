// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <sonde/detail/affinity.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

using sonde::detail::is_oversubscribed, sonde::detail::processor_set;

namespace {

/// One word for each binding.
std::vector<processor_set> bound(std::vector<std::uint64_t> const& words) {
    std::vector<processor_set> all;
    for (auto const word : words) all.push_back({word});
    return all;
}
bool crowded(std::vector<std::uint64_t> const& words) { return is_oversubscribed(bound(words)); }

} // namespace

TEST_CASE("processes are oversubscribed if more of them than processors lie within a binding or the union of all") {
    CHECK_FALSE(crowded({}));
    CHECK_FALSE(crowded({0b1}));
    CHECK_FALSE(crowded({0b11, 0b11}));       // unbound, as many as processors
    CHECK(crowded({0b11, 0b11, 0b11}));       // unbound, one more
    CHECK_FALSE(crowded({0b01, 0b10}));       // one on each processor
    CHECK(crowded({0b01, 0b01}));             // both on one
    CHECK(crowded({0b1111, 0b0001, 0b0001})); // two on one processor, beside one with room
    CHECK(crowded({0b0011, 0b0001, 0b0010})); // three within the first
    CHECK_FALSE(crowded({0b111, 0b001, 0b010}));
    CHECK(crowded({0b011, 0b110, 0b101, 0b111})); // four on the three of the union; no two are within a binding
    CHECK(crowded({0b011, 0b110, 0b011, 0b110})); // the same, and no binding has too many
    CHECK_FALSE(crowded({0b0011, 0b0110, 0b1100, 0b1001}));
}

TEST_CASE("a process of unknown binding counts nowhere, and bindings have any number of words") {
    CHECK_FALSE(crowded({0, 0, 0}));
    CHECK_FALSE(crowded({0b1, 0, 0}));
    CHECK_FALSE(is_oversubscribed({{0, 1}, {1, 0}}));
    CHECK(is_oversubscribed({{0, 1}, {1, 0}, {0, 1}}));
    CHECK_FALSE(is_oversubscribed({{0, 1ULL << 63}, {1ULL << 63, 0}}));
}

TEST_CASE("one process on each of many processors is not oversubscribed, and one more is") {
    std::vector<processor_set> all;
    for (std::size_t i = 0; i != 256; ++i) {
        processor_set one(4);
        one[i / 64] = std::uint64_t{1} << i % 64;
        all.push_back(one);
    }
    CHECK_FALSE(is_oversubscribed(all));
    all.push_back(processor_set(4, ~std::uint64_t{0}));
    CHECK(is_oversubscribed(all));
}

TEST_CASE("this process may run on at least one processor") {
    CHECK(sonde::detail::number_of(sonde::detail::allowed_processors()) >= 1);
}
