// SPDX-License-Identifier: BSL-1.0
#include <sonde/map/rounds.hpp>
#include <sonde/map/suspects.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <random>
#include <set>
#include <vector>

using sonde::suspect;
using sonde::suspect_direction;
using sonde::suspect_kind;

namespace {

/// What is named on a cluster of `ranks` hosts whose times have 5 % lognormal noise, times `factor(from, to)`.
std::vector<suspect> named(int ranks, unsigned seed, std::function<double(int, int)> const& factor) {
    std::mt19937 random{seed};
    std::lognormal_distribution<double> noise{0, 0.05};
    sonde::pair_times times{ranks};
    for (int from = 0; from != ranks; ++from)
        for (int to = 0; to != ranks; ++to)
            if (from != to) times.at(from, to) = sonde::seconds{1e-5 * noise(random) * factor(from, to)};
    return sonde::find_suspects(times, std::vector<int>(times.times.size()));
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

TEST_CASE("suspects: a link at a third is named, and nothing else") {
    CHECK(hits(64, {suspect_kind::pair, suspect_direction::both, 3, 9},
               [](int a, int b) { return (a == 3 && b == 9) || (a == 9 && b == 3) ? 3. : 1.; }) +
              hits(64, {suspect_kind::pair, suspect_direction::both, 9, 3},
                   [](int a, int b) { return (a == 3 && b == 9) || (a == 9 && b == 3) ? 3. : 1.; }) ==
          100);
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
TEST_CASE("suspects: clean clusters") {
    int alarms = 0;
    for (unsigned seed = 1; seed <= 1000; ++seed) alarms += !named(16, seed, [](int, int) { return 1.; }).empty();
    MESSAGE(alarms);
    CHECK(alarms <= 20);
}
