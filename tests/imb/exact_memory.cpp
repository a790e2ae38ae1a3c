// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "imb/driver/imb_contents.hpp"
#include "imb/driver/imb_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace {

using imb::buffer_layout, imb::cache, imb::failure, imb::plan_memory;

constexpr std::size_t gigabyte = std::size_t{1} << 30;

bool equal(buffer_layout const& a, buffer_layout const& b) { return a.count == b.count && a.stride == b.stride; }

TEST_CASE("without options all repetitions share one slot") {
    auto const s = plan_memory({{100, 300}, 1000, {}, false, gigabyte});
    CHECK(equal(s.send_layout, {1, 100}));
    CHECK(equal(s.receive_layout, {1, 300}));
}

TEST_CASE("off the cache, messages are one or two lines apart and cover twice the cache") {
    auto const s = plan_memory({{64, 100}, 1'000'000, cache{1 << 20, 64}, false, gigabyte});
    CHECK(equal(s.send_layout, {16'384, 128}));
    CHECK(equal(s.receive_layout, {10'923, 192})); // 2 MiB / 192, rounded up
    CHECK(equal(plan_memory({{64, 64}, 7, cache{1 << 20, 64}, false, gigabyte}).send_layout, {7, 128}));
}

TEST_CASE("disjoint repetitions have a slot each, as far as memory allows") {
    CHECK(equal(plan_memory({{4, 4}, 10, {}, true, gigabyte}).send_layout, {10, 64}));
    auto const cut = plan_memory({{64, 128}, 10, {}, true, 1000});
    CHECK(equal(cut.send_layout, {5, 64}));
    CHECK(equal(cut.receive_layout, {5, 128}));
    CHECK(cut.repetitions == 5);
    CHECK(equal(plan_memory({{64, 128}, 10, {}, true, 100}).send_layout, {1, 64})); // the second one does not fit
    CHECK(equal(plan_memory({{64, 64}, 7, cache{1 << 20, 64}, true, 1000}).send_layout, {7, 128}));
}

TEST_CASE("a rank that moves nothing needs no memory") {
    CHECK(plan_memory({{0, 0}, 1000, cache{1 << 20, 64}, true, gigabyte}).bytes() == 0);
}

TEST_CASE("more than -mem, or more elements than an int counts, is a failure") {
    imb::lengths const half{gigabyte / 2, gigabyte / 2};
    auto const s = plan_memory({half, 1, {}, false, gigabyte});
    CHECK(imb::failure_of(half, 1, s, gigabyte) == failure::none);
    CHECK(imb::failure_of(half, 1, s, gigabyte - 1) == failure::memory);
    imb::lengths const large{std::size_t{1} << 31, 4};
    auto const l = plan_memory({large, 1, {}, false, gigabyte});
    CHECK(imb::failure_of(large, 1, l, 4 * gigabyte) == failure::overflow);
    CHECK(imb::failure_of(large, 4, l, 4 * gigabyte) == failure::none);
    imb::options asked;
    asked.memory = 0.5;
    CHECK(imb::memory_limit(asked) == gigabyte / 2);
}

TEST_CASE("sent contents encode rank and place, and are the same in every slot") {
    imb::message_memory memory{48, suite::memory{suite::memory_kind::host}};
    memory.fill({});
    imb::write_initial({memory.bytes(), memory.memory(), {2, 20}}, 3, false);
    float values[12];
    memory.read(0, std::as_writable_bytes(std::span{values}));
    CHECK(values[0] == 0.4F);
    CHECK(values[4] == 4.4F);
    CHECK(std::memcmp(values, values + 5, 20) == 0);
    CHECK(values[10] == 0);
    imb::write_initial({memory.bytes(), memory.memory(), {2, 20}}, 3, true);
    std::int32_t integers[5];
    memory.read(20, std::as_writable_bytes(std::span{integers}));
    CHECK(integers[0] == 40'000'000);
    CHECK(integers[4] == 40'000'004);
}

} // namespace
