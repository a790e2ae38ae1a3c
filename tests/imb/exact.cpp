// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/groups.hpp"
#include "imb/driver/imb_contents.hpp"
#include "imb/driver/imb_plan.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace {

using imb::family;
using numbers = std::vector<int>;
using groups = std::vector<numbers>;

TEST_CASE("the numbers of processes double from npmin, and the last is the size of the world") {
    CHECK(imb::process_counts(family::parallel_transfer, false, 5, 2) == numbers{2, 4, 5});
    CHECK(imb::process_counts(family::collective, false, 5, 5) == numbers{5});
    CHECK(imb::process_counts(family::synchronization, false, 5, 8) == numbers{5});
    CHECK(imb::process_counts(family::passive, false, 12, 3) == numbers{3, 6, 12});
    CHECK(imb::process_counts(family::collective, false, 1, 2) == numbers{1});
    CHECK(imb::process_counts(family::collective, true, 4, 1) == numbers{1, 2, 4});
}

TEST_CASE("pair benchmarks run with two processes whatever npmin is, those of files with one") {
    CHECK(imb::process_counts(family::single_transfer, false, 8, 4) == numbers{2});
    CHECK(imb::process_counts(family::single_element, false, 8, 4) == numbers{2});
    CHECK(imb::process_counts(family::single_element, false, 8, 1) == numbers{2});
    CHECK(imb::process_counts(family::single_transfer, true, 8, 4) == numbers{1});
}

TEST_CASE("message-rate benchmarks have even numbers of processes") {
    CHECK(imb::process_counts(family::message_rate, false, 7, 3) == numbers{4, 6});
    CHECK(imb::process_counts(family::message_rate, false, 7, 9) == numbers{6});
    CHECK(imb::process_counts(family::message_rate, false, 2, 1) == numbers{2});
}

TEST_CASE("single-transfer, single-element and message-rate benchmarks need two processes at least") {
    for (auto const kind : {family::single_transfer, family::single_element, family::message_rate}) {
        CHECK(imb::process_counts(kind, false, 1, 2) == numbers{1});
        CHECK(imb::least_processes(kind, false) == 2);
    }
    CHECK(imb::least_processes(family::single_transfer, true) == 1);
    CHECK(imb::least_processes(family::collective, false) == 1);
    CHECK(imb::least_processes(family::parallel_transfer, false) == 1);
}

TEST_CASE("one group has the first ranks; with several groups each has the full number of ranks") {
    CHECK(imb::groups_of({}, 2, 5, false) == groups{{0, 1}});
    CHECK(imb::groups_of({}, 2, 5, true) == groups{{0, 1}, {2, 3}});
    CHECK(imb::groups_of({}, 4, 5, true) == groups{{0, 1, 2, 3}});
}

TEST_CASE("-map orders ranks by columns: neighbors are P apart") {
    CHECK(imb::groups_of({2, 3}, 6, 6, false) == groups{{0, 2, 4, 1, 3, 5}});
    CHECK(imb::groups_of({3, 2}, 2, 6, true) == groups{{0, 3}, {1, 4}, {2, 5}});
    CHECK(imb::groups_of({1, 6}, 6, 6, false) == groups{{0, 1, 2, 3, 4, 5}});
    CHECK(imb::groups_of({2, 2}, 2, 4, true) == groups{{0, 2}, {1, 3}});
}

TEST_CASE("-map of a large world computes with more than 32 bits") {
    auto const all = imb::groups_of({1000, 1000}, 1'000'000, 1'000'000, false);
    CHECK(all[0][1] == 1000);
    CHECK(all[0][1000] == 1);
    CHECK(all[0][999'999] == 999'999);
}

using sizes = std::vector<std::size_t>;

sizes doubled(std::size_t from, std::size_t to) {
    sizes all{0};
    for (auto n = from; n <= to; n *= 2) all.push_back(n);
    return all;
}

TEST_CASE("sizes are 0 and the powers of two of -msglog, in whole elements") {
    CHECK(imb::sizes_of(family::collective, {}, 1) == doubled(1, 4'194'304));
    CHECK(imb::sizes_of(family::collective, {}, 1).size() == 24);
    CHECK(imb::sizes_of(family::collective, {}, 4) == doubled(4, 4'194'304));
    CHECK(imb::sizes_of(family::collective, {}, 4).size() == 22);
}

TEST_CASE("sizes begin at the minimum of -msglog, and 0 can be left out") {
    imb::options settings;
    settings.min_log = 3;
    settings.max_log = 5;
    CHECK(imb::sizes_of(family::collective, settings, 1) == sizes{0, 8, 16, 32});
    CHECK(imb::sizes_of(family::collective, settings, 4) == sizes{0, 8, 16, 32});
    settings.zero_size = false;
    CHECK(imb::sizes_of(family::single_transfer, settings, 1) == sizes{8, 16, 32});
    settings.max_log = 3;
    CHECK(imb::sizes_of(family::single_transfer, settings, 1) == sizes{8});
}

TEST_CASE("a maximum smaller than an element leaves the empty message alone") {
    imb::options settings;
    settings.max_log = 1;
    CHECK(imb::sizes_of(family::collective, settings, 4) == sizes{0});
    settings.zero_size = false;
    CHECK(imb::sizes_of(family::collective, settings, 4) == sizes{0});
}

TEST_CASE("a user's sizes keep their order, and are cut to the maximum and then rounded up to elements") {
    imb::options settings;
    settings.max_log = 10;
    settings.sizes = {7, 5000, 0, 1024, 1};
    CHECK(imb::sizes_of(family::collective, settings, 1) == sizes{7, 1024, 0, 1024, 1});
    CHECK(imb::sizes_of(family::collective, settings, 4) == sizes{8, 1024, 0, 1024, 4});
    CHECK(imb::cut_sizes(settings) == sizes{5000});
}

TEST_CASE("a single-element benchmark has one size, a barrier one row") {
    CHECK(imb::sizes_of(family::single_element, {}, 4) == sizes{4});
    CHECK(imb::sizes_of(family::synchronization, {}, 1) == sizes{4'194'304});
}

} // namespace

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
