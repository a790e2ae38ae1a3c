// SPDX-License-Identifier: BSL-1.0
#include <sonde/map.hpp>
#include <sonde/map/residuals.hpp>
#include <sonde/map/suspects.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

using sonde::suspect;
using sonde::suspect_direction;
using sonde::suspect_kind;

namespace {

/// Times of a cluster of `ranks` hosts with 5 % lognormal noise, times `factor(from, to)`.
sonde::pair_times noisy(int ranks, unsigned seed, std::function<double(int, int)> const& factor) {
    std::mt19937 random{seed};
    std::lognormal_distribution<double> noise{0, 0.05};
    sonde::pair_times times{ranks};
    for (int from = 0; from != ranks; ++from)
        for (int to = 0; to != ranks; ++to)
            if (from != to) times.at(from, to) = sonde::seconds{1e-5 * noise(random) * factor(from, to)};
    return times;
}

std::vector<suspect> named(int ranks, unsigned seed, std::function<double(int, int)> const& factor) {
    auto const times = noisy(ranks, seed, factor);
    return sonde::find_suspects(times, sonde::find_rank_groups(times));
}

/// Number of seeds in which exactly one suspect is named, which is this one, by any factor.
int hits(int ranks, suspect const& wanted, std::function<double(int, int)> const& factor) {
    int count = 0;
    for (unsigned seed = 1; seed <= 100; ++seed) {
        auto found = named(ranks, seed, factor);
        for (auto& s : found) s.factor = wanted.factor;
        count += found == std::vector{wanted};
    }
    return count;
}

/// Nodes with some ranks each: 0.4 us within a node and 1.6 us between nodes, with 2 % noise or none. Rank 1, or ranks
/// 0 and 1, are slow, and the link between nodes 0 and 1 may take three times as long.
struct nodes {
    int count, ranks_each, slow_ranks;
    bool slow_link;
    double added; // us, by a slow rank to its messages; 0: it takes three times as long
    double noise;

    int ranks() const { return count * ranks_each; }
    bool is_slow(int rank) const { return slow_ranks == 1 ? rank == 1 : rank < slow_ranks; }
    std::vector<int> groups() const {
        std::vector<int> all;
        for (int rank = 0; rank != ranks(); ++rank) all.push_back(rank / ranks_each);
        return all;
    }
    double microseconds(int a, int b) const {
        auto const of_a = a / ranks_each, of_b = b / ranks_each;
        auto const between = slow_link && of_a + of_b == 1 ? 4.8 : 1.6, time = of_a == of_b ? 0.4 : between;
        auto const slow = int{is_slow(a)} + int{is_slow(b)};
        return added > 0 ? time + added * slow : slow == 0 ? time : 3 * time;
    }
    std::vector<suspect> named(unsigned seed) const {
        std::mt19937 random{seed};
        std::lognormal_distribution<double> error{0, noise};
        sonde::pair_times times{ranks()};
        for (int a = 0; a != ranks(); ++a)
            for (int b = 0; b != ranks(); ++b)
                if (a != b)
                    times.at(a, b) = sonde::seconds{1e-6 * microseconds(a, b) * (noise > 0 ? error(random) : 1)};
        auto found = sonde::find_suspects(times, groups());
        for (auto& s : found) s.factor = 1;
        return found;
    }
    std::vector<suspect> expected() const {
        std::vector<suspect> all;
        for (int rank = 0; rank != ranks(); ++rank)
            if (is_slow(rank)) all.push_back({suspect_kind::rank, suspect_direction::both, rank});
        if (slow_link) all.push_back({suspect_kind::groups, suspect_direction::both, 0, 1});
        return all;
    }
    /// Number of maps of ten in which exactly the slow parts are named, whichever of the ranks is slower.
    int right() const {
        int maps = 0;
        for (unsigned seed = 1; seed <= 10; ++seed) {
            auto found = named(seed);
            std::sort(found.begin(), found.end(), [](suspect const& a, suspect const& b) {
                return a.kind != b.kind ? a.kind < b.kind : a.rank < b.rank;
            });
            maps += found == expected();
        }
        return maps;
    }
};

} // namespace

TEST_CASE("pairing rounds: all pairs meet once, and partners name each other") {
    for (int ranks = 0; ranks != 20; ++ranks) {
        sonde::pairing_rounds const rounds{ranks};
        CHECK(rounds.size() == (ranks < 2 ? 0 : ranks % 2 == 0 ? ranks - 1 : ranks));
        std::set<std::pair<int, int>> met;
        for (int round = 0; round != rounds.size(); ++round) {
            int idle = 0;
            for (int rank = 0; rank != ranks; ++rank) {
                auto const partner = rounds.partner(round, rank);
                idle += !partner;
                if (!partner) continue;
                CHECK(*partner != rank);
                CHECK(rounds.partner(round, *partner) == rank);
                CHECK(met.emplace(rank, *partner).second);
            }
            CHECK(idle == ranks % 2);
        }
        CHECK(met.size() == static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks > 0 ? ranks - 1 : 0));
    }
}

TEST_CASE("pair_times: a rank that there is not is refused") {
    sonde::pair_times times{2};
    auto const& constant = times;
    for (auto const& [from, to] : {std::pair{0, 2}, {2, 0}, {-1, 0}, {0, -1}}) {
        CHECK_THROWS_AS(times.at(from, to), std::out_of_range);
        CHECK_THROWS_AS(static_cast<void>(constant.was_measured(from, to)), std::out_of_range);
    }
    CHECK_THROWS_WITH_AS(times.at(0, 2), "sonde::pair_times: there is no rank 2 of 2", std::out_of_range);
}

TEST_CASE("suspects: a link at a third is named, and nothing else") {
    CHECK(hits(64, {suspect_kind::pair, suspect_direction::both, 3, 9},
               [](int a, int b) { return (a == 3 && b == 9) || (a == 9 && b == 3) ? 3. : 1.; }) == 100);
}
TEST_CASE("suspects: one direction of a link") {
    CHECK(hits(64, {suspect_kind::pair, suspect_direction::from, 3, 9},
               [](int a, int b) { return a == 3 && b == 9 ? 3. : 1.; }) == 100);
}
TEST_CASE("suspects: a host with both directions at half, or one") {
    CHECK(hits(64, {suspect_kind::rank, suspect_direction::both, 5},
               [](int a, int b) { return a == 5 || b == 5 ? 2. : 1.; }) == 100);
    CHECK(hits(64, {suspect_kind::rank, suspect_direction::to, 5}, [](int, int b) { return b == 5 ? 2. : 1.; }) == 100);
    CHECK(hits(64, {suspect_kind::rank, suspect_direction::from, 5}, [](int a, int) { return a == 5 ? 2. : 1.; }) ==
          100);
}
TEST_CASE("suspects: the slow one of four hosts") {
    CHECK(hits(4, {suspect_kind::rank, suspect_direction::both, 2},
               [](int a, int b) { return a == 2 || b == 2 ? 10. : 1.; }) == 100);
    CHECK(sonde::find_suspects(noisy(3, 1, [](int a, int b) { return a == 2 || b == 2 ? 10. : 1.; })).empty());
}
TEST_CASE("suspects: a slow host, and a link between two switches") { // beside a false alarm in 1 of 100
    auto const hosts = [](int a, int b) { return a / 8 == b / 8 ? 1. : 1.5; };
    CHECK(hits(32, {suspect_kind::rank, suspect_direction::both, 5},
               [&](int a, int b) { return hosts(a, b) * (a == 5 || b == 5 ? 2 : 1); }) >= 98);
    CHECK(hits(32, {suspect_kind::groups, suspect_direction::from, 1, 3},
               [&](int a, int b) { return hosts(a, b) * (a / 8 == 1 && b / 8 == 3 ? 1.5 : 1); }) >= 98);
}
TEST_CASE(
    "suspects: hosts that differ a little from one another are not named, even if each difference is significant") {
    int alarms = 0;
    for (unsigned seed = 1; seed <= 100; ++seed) {
        std::mt19937 random{seed};
        std::lognormal_distribution<double> host{0, 0.03}, noise{0, 0.01};
        sonde::pair_times times{32};
        std::vector<double> speed(32);
        for (auto& v : speed) v = host(random);
        for (int a = 0; a != 32; ++a)
            for (int b = 0; b != 32; ++b)
                if (a != b) times.at(a, b) = sonde::seconds{speed[static_cast<std::size_t>(a)] * noise(random)};
        for (auto const& found : sonde::find_suspects(times, {}, {.false_alarms = 0.01, .factor = 1}))
            alarms += found.kind == suspect_kind::rank;
    }
    CHECK(alarms <= 20);
}
TEST_CASE("suspects: clean clusters") {
    for (int const ranks : {4, 8, 16, 33}) {
        int alarms = 0;
        for (unsigned seed = 1; seed <= 1000; ++seed)
            alarms += !named(ranks, seed, [](int, int) { return 1.; }).empty();
        MESSAGE(ranks, ": ", alarms);
        CHECK(alarms <= 20);
    }
}
TEST_CASE("groups of ranks: switches with four hosts each, of which one is slow") {
    for (unsigned seed = 1; seed <= 100; ++seed) {
        auto const found = sonde::find_rank_groups(
            noisy(16, seed, [](int a, int b) { return (a / 4 == b / 4 ? 1. : 1.5) * (a == 5 || b == 5 ? 2 : 1); }));
        CHECK(found == std::vector{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3});
    }
    for (unsigned seed = 1; seed <= 100; ++seed)
        CHECK(sonde::find_rank_groups(noisy(16, seed, [](int, int) { return 1.; })) == std::vector<int>(16));
}
TEST_CASE("groups of ranks: neither ranks alone, nor small gaps, nor chains are groups") {
    auto const exact = [](std::function<double(int, int)> const& time) {
        sonde::pair_times times{8};
        for (int a = 0; a != 8; ++a)
            for (int b = 0; b != 8; ++b)
                if (a != b) times.at(a, b) = sonde::seconds{time(std::min(a, b), std::max(a, b))};
        return sonde::find_rank_groups(times);
    };
    std::vector const none(8, 0), halves{0, 0, 0, 0, 1, 1, 1, 1};
    CHECK(exact([](int a, int b) { return a / 4 == b / 4 ? 1. : 1.2; }) == halves);
    CHECK(exact([](int a, int b) { return a / 4 == b / 4 ? 1. : 1.05; }) == none);
    CHECK(exact([](int a, int b) { return a / 4 == b / 4 && b - a == 1 ? 1. : 2.; }) == none);
    CHECK(exact([](int a, int b) { return a / 2 == b / 2 && b < 4 ? 1. : 2.; }) == none);
}

TEST_CASE("suspects: no sound rank, link or pair is named because a rank is slow, and a slow link is found beside it") {
    for (int const count : {3, 4, 8})
        for (int const each : {2, 3, 4})
            for (int const slow_ranks : {0, 1, 2})
                for (bool const slow_link : {false, true})
                    for (double const added : {0., 2.})
                        for (double const noise : {0., 0.02}) {
                            nodes const of{count, each, slow_ranks, slow_link, added, noise};
                            CAPTURE(count);
                            CAPTURE(each);
                            CAPTURE(slow_ranks);
                            CAPTURE(slow_link);
                            CAPTURE(added);
                            CAPTURE(noise);
                            CHECK(of.right() >= 9);
                        }
}
TEST_CASE("suspects: a slow rank of two nodes is named, also if the nodes differ in size") {
    for (int const each : {2, 3, 4})
        for (int const fewer : {0, 1})
            for (int const slow : {0, 1, 2}) {
                auto const ranks = 2 * each - fewer;
                if (ranks < 4 || slow >= each) continue;
                sonde::pair_times times{ranks};
                std::vector<int> groups;
                for (int a = 0; a != ranks; ++a) {
                    groups.push_back(a / each);
                    for (int b = 0; b != ranks; ++b)
                        times.at(a, b) = sonde::seconds{(a / each == b / each ? 4e-7 : 16e-7) *
                                                        (a == slow || b == slow ? 3 : 1) * (a == b ? 0 : 1)};
                }
                CAPTURE(ranks);
                CAPTURE(slow);
                auto found = sonde::find_suspects(times, groups);
                REQUIRE(found.size() == 1);
                CHECK(found[0].rank == slow);
                CHECK(found[0].kind == suspect_kind::rank);
            }
}
TEST_CASE("suspects: two of five ranks are slow, and the others are not named because half of their pairs are") {
    CHECK(hits(5, {suspect_kind::rank, suspect_direction::both, 1},
               [](int a, int b) { return a == 1 || b == 1 ? 3. : 1.; }) == 100);
    for (unsigned seed = 1; seed <= 100; ++seed)
        for (auto const &s :
             sonde::find_suspects(noisy(5, seed, [](int a, int b) { return a < 2 || b < 2 ? 3. : 1.; })))
            CHECK((s.kind != suspect_kind::rank || s.rank < 2));
}
