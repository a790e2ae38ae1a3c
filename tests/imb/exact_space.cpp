// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "initial.hpp"
#include "space.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

using imb::cache, imb::failure, imb::places, imb::slots, imb::space_of;

constexpr std::size_t gigabyte = std::size_t{1} << 30;

bool equal(slots const& a, slots const& b) { return a.count == b.count && a.stride == b.stride; }

TEST_CASE("without options all repetitions share one slot") {
    auto const s = space_of({{100, 300}, 1000, {}, false, gigabyte});
    CHECK(equal(s.sends, {1, 100}));
    CHECK(equal(s.receives, {1, 300}));
}

TEST_CASE("off the cache, messages are one or two lines apart and cover twice the cache") {
    auto const s = space_of({{64, 100}, 1'000'000, cache{1 << 20, 64}, false, gigabyte});
    CHECK(equal(s.sends, {16'384, 128}));
    CHECK(equal(s.receives, {10'923, 192})); // 2 MiB / 192, rounded up
    CHECK(equal(space_of({{64, 64}, 7, cache{1 << 20, 64}, false, gigabyte}).sends, {7, 128}));
}

TEST_CASE("disjoint repetitions have a slot each, as far as memory allows") {
    CHECK(equal(space_of({{4, 4}, 10, {}, true, gigabyte}).sends, {10, 64}));
    auto const cut = space_of({{64, 128}, 10, {}, true, 1000});
    CHECK(equal(cut.sends, {5, 64}));
    CHECK(equal(cut.receives, {5, 128}));
    CHECK(cut.most == 5);
    CHECK(equal(space_of({{64, 128}, 10, {}, true, 100}).sends, {1, 64})); // the second one does not fit
    CHECK(equal(space_of({{64, 64}, 7, cache{1 << 20, 64}, true, 1000}).sends, {7, 128}));
}

TEST_CASE("a rank that moves nothing needs no memory") {
    CHECK(space_of({{0, 0}, 1000, cache{1 << 20, 64}, true, gigabyte}).bytes() == 0);
}

TEST_CASE("more than -mem, or more elements than an int counts, is a failure") {
    imb::lengths const half{gigabyte / 2, gigabyte / 2};
    auto const s = space_of({half, 1, {}, false, gigabyte});
    CHECK(imb::failure_of(half, 1, s, gigabyte) == failure::none);
    CHECK(imb::failure_of(half, 1, s, gigabyte - 1) == failure::memory);
    imb::lengths const large{std::size_t{1} << 31, 4};
    auto const l = space_of({large, 1, {}, false, gigabyte});
    CHECK(imb::failure_of(large, 1, l, 4 * gigabyte) == failure::overflow);
    CHECK(imb::failure_of(large, 4, l, 4 * gigabyte) == failure::none);
    imb::options asked;
    asked.memory = 0.5;
    CHECK(imb::room_of(asked) == gigabyte / 2);
}

TEST_CASE("sent contents encode rank and place, and are the same in every slot") {
    std::vector<std::byte> memory(48);
    imb::fill(memory, {2, 20}, 3, false);
    float values[12];
    std::memcpy(values, memory.data(), sizeof values);
    CHECK(values[0] == 0.4F);
    CHECK(values[4] == 4.4F);
    CHECK(std::memcmp(values, values + 5, 20) == 0);
    CHECK(values[10] == 0);
    imb::fill(memory, {2, 20}, 3, true);
    std::int32_t integers[5];
    std::memcpy(integers, memory.data() + 20, sizeof integers);
    CHECK(integers[0] == 40'000'000);
    CHECK(integers[4] == 40'000'004);
}

} // namespace
