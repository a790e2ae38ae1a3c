// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace unit;

namespace {

struct lesson {
    int server, client;
    bool operator<(lesson const& l) const { return std::pair{server, client} < std::pair{l.server, l.client}; }
    bool operator==(lesson const& l) const = default;
};

/// The lessons of a member, in its order.
std::vector<lesson> lessons_of(int me, int members) {
    std::vector<lesson> all;
    sonde::detail::for_each_tree_edge(
        me, members,
        [&](int from) {
            all.push_back({from, me});
        },
        [&](int to) {
            all.push_back({me, to});
        });
    return all;
}

} // namespace

TEST_CASE("the tree: every rank but the first receives once, before sending, from a rank that has received") {
    for (int members = 1; members != 70; ++members) {
        CAPTURE(members);
        std::map<lesson, int> sides;
        for (int me = 0; me != members; ++me) {
            CAPTURE(me);
            auto const lessons = lessons_of(me, members);
            int learned = 0;
            for (std::size_t i = 0; i != lessons.size(); ++i) {
                ++sides[lessons[i]];
                if (lessons[i].client != me) continue;
                CHECK(i == 0);
                ++learned;
            }
            CHECK(learned == (me == 0 ? 0 : 1));
        }
        CHECK(sides.size() == static_cast<std::size_t>(members - 1));
        for (auto const& [l, n] : sides) CHECK(n == 2);
    }
}

TEST_CASE("the tree: log2 of the members rounds, and one for those beyond a power of two") {
    for (auto const& [members, rounds] :
         std::map<int, std::size_t>{{1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {64, 6}, {65, 7}})
        CHECK(lessons_of(0, members).size() == rounds);
    CHECK(lessons_of(2, 4) == std::vector<lesson>{{0, 2}, {2, 3}});
    CHECK(lessons_of(2, 6) == std::vector<lesson>{{0, 2}, {2, 3}});
    CHECK(lessons_of(1, 6) == std::vector<lesson>{{0, 1}, {1, 5}});
}

TEST_CASE("ranks of the same clock identifier share a clock, and the first of them leads; an empty one is not shared") {
    using words = std::vector<std::string>;
    CHECK(sonde::clock_leaders(words{"a", "a", "a"}) == std::vector<int>{0, 0, 0});
    CHECK(sonde::clock_leaders(words{"a", "b", "a", "c", "b"}) == std::vector<int>{0, 1, 0, 3, 1});
    CHECK(sonde::clock_leaders(words{"", "", "a", "", "a"}) == std::vector<int>{0, 1, 2, 3, 2});
    CHECK(sonde::clock_leaders(words{}).empty());
}

TEST_CASE("clock_topology: leaders in the order of ranks, each with its followers") {
    std::vector<int> const leader_of{0, 1, 0, 3, 1, 1};
    sonde::detail::clock_topology const first{0, leader_of}, second{1, leader_of}, follower{4, leader_of};
    CHECK(first.leaders == std::vector<int>{0, 1, 3});
    CHECK(first.followers == std::vector<int>{2});
    CHECK(second.leader_index == 1);
    CHECK(second.followers == std::vector<int>{4, 5});
    CHECK(sonde::detail::clock_topology{3, leader_of}.leader_index == 2);
    CHECK_FALSE(follower.is_leader());
    CHECK(follower.leader == 1);
    CHECK(follower.followers.empty());
    CHECK_FALSE(follower.shared());
    CHECK(sonde::detail::clock_topology{1, {0, 0}}.shared());
}

TEST_CASE("every rank gathers all strings, of any length and any characters") {
    std::vector<std::string> const words{"", "a", "sixsix", std::string{"\0\xff\x01 seven\0", 10}, "twelve letters"};
    auto const got = on_ranks(5, {}, [&](process& self) {
        auto group = self.group();
        return sonde::all_gather(group, words[static_cast<std::size_t>(self.rank())]);
    });
    for (auto const& all : got) CHECK(all == words);
}

TEST_CASE("a rank without a clock identifier gathers an empty string") {
    sonde::single_rank single_rank;
    CHECK(sonde::all_gather(single_rank, std::string{}) == std::vector<std::string>{""});
}

#ifdef __linux__
TEST_CASE("the system identifies its monotonic clock, always the same") {
    CHECK_FALSE(sonde::clock_domain().empty());
    CHECK(sonde::clock_domain() == sonde::clock_domain());
}
#endif
