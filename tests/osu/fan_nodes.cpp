// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "osu/pt2pt/fan.hpp"

#include <string>
#include <vector>

using ranks = std::vector<int>;

TEST_CASE("nodes are in the order of their first rank, with any names") {
    CHECK(osu::nodes_of({"z", "z", "a", "a"}) == osu::nodes{{0, 1}, {2, 3}});
    CHECK(osu::nodes_of({"z", "a", "z", "a"}) == osu::nodes{{0, 2}, {1, 3}});
    CHECK(osu::nodes_of({"c", "a", "b", "b", "a", "c"}) == osu::nodes{{0, 5}, {1, 4}, {2, 3}});
}

TEST_CASE("a fan is the k-th ranks of all nodes, with the first node's rank as its parent") {
    auto const all = osu::nodes_of({"c", "a", "b", "b", "a", "c"});
    CHECK(osu::fan_of(0, all).parent);
    CHECK(osu::fan_of(0, all).peers == ranks{1, 2});
    CHECK(osu::fan_of(5, all).parent);
    CHECK(osu::fan_of(5, all).peers == ranks{4, 3});
    for (int const child : {1, 2}) {
        CHECK_FALSE(osu::fan_of(child, all).parent);
        CHECK(osu::fan_of(child, all).peers == ranks{0});
    }
    for (int const child : {3, 4}) CHECK(osu::fan_of(child, all).peers == ranks{5});
}

TEST_CASE("one node, or nodes of different sizes, are refused") {
    CHECK(osu::complaint_about({{0, 1}}) == "Please run this benchmark on more than 1 node");
    CHECK(osu::complaint_about({{0, 1}, {2}}) == "Please run this benchmark with same ppn for all nodes");
    CHECK(osu::complaint_about({{0, 1}, {2, 3}, {4, 5}}) == "");
}
