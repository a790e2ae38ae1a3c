// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "imb/driver/groups.hpp"
#include "imb/driver/imb_plan.hpp"

#include <cstddef>
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
