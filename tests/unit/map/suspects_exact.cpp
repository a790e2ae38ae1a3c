// SPDX-License-Identifier: BSL-1.0

// Suspects among times without noise, of two values, in ticks of a clock, and of simulated ranks.

#include "../../support.hpp"

#include <sonde/map.hpp>
#include <sonde/map/residuals.hpp>
#include <sonde/map/suspects.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

using namespace unit;
using sonde::suspect;
using sonde::suspect_direction;
using sonde::suspect_kind;

namespace {

constexpr double tick = 10; // ns

sonde::pair_times times_of(int ranks, std::function<double(int, int)> const& nanoseconds) {
    sonde::pair_times times{ranks};
    for (int from = 0; from != ranks; ++from)
        for (int to = 0; to != ranks; ++to)
            if (from != to) times.at(from, to) = sonde::seconds{1e-9 * nanoseconds(from, to)};
    return times;
}

/// The times of messages, their standard deviation before the clock, and the tick of the clock, ns.
struct measured {
    double mean, deviation, tick;
};

sonde::pair_times in_ticks(int ranks, unsigned seed, measured const& m, std::function<double(int, int)> const& factor) {
    std::mt19937 random{seed};
    std::normal_distribution<double> noise{0, 1};
    auto times = times_of(ranks, [&](int from, int to) {
        return m.tick * std::round((m.mean * factor(from, to) + m.deviation * noise(random)) / m.tick);
    });
    times.resolution = sonde::seconds{1e-9 * m.tick};
    return times;
}
sonde::pair_times in_ticks(int ranks, unsigned seed, double deviation, std::function<double(int, int)> const& factor) {
    return in_ticks(ranks, seed, measured{390, deviation, tick}, factor);
}

bool is_only(std::vector<suspect> const& found, suspect const& wanted) {
    return found.size() == 1 && found[0].kind == wanted.kind && found[0].direction == wanted.direction &&
           found[0].rank == wanted.rank && found[0].peer == wanted.peer && found[0].factor > 2.7 &&
           found[0].factor < 3.3;
}

double slow_rank(int from, int to) { return from == 2 || to == 2 ? 3 : 1; }
double slow_pair(int from, int to) { return from == 1 && to == 3 ? 3 : 1; }
double equal(int, int) { return 1; }

/// The clock of a simulated rank, in ticks of 25 ns.
struct coarse_clock {
    sonde::sim::manual_clock exact;
    sonde::sim::picoseconds now() const {
        constexpr sonde::sim::picoseconds own = 25ns;
        return exact.now() / own * own;
    }
    sonde::clock_properties properties() const { return {.resolution = 25ns}; }
};

constexpr suspect rank_2{suspect_kind::rank, suspect_direction::both, 2};
constexpr suspect pair_1_3{suspect_kind::pair, suspect_direction::from, 1, 3};

} // namespace

TEST_CASE("suspects: a pair that is slow in both directions has the factor of the slower direction") {
    for (int const slower : {1, 3}) {
        auto const found = sonde::find_suspects(times_of(8, [&](int from, int to) {
            if (!(from == 1 && to == 3) && !(from == 3 && to == 1)) return 390.;
            return from == slower ? 3 * 390. : 2 * 390.;
        }));
        CHECK(is_only(found, {suspect_kind::pair, suspect_direction::both, 1, 3, 3}));
    }
}

TEST_CASE("suspects: exact times, one slow rank") {
    for (int const ranks : {4, 5, 6, 8, 16, 33})
        CHECK(
            is_only(sonde::find_suspects(times_of(ranks, [](int a, int b) { return 400 * slow_rank(a, b); })), rank_2));
}
TEST_CASE("suspects: exact times, a slow pair, a slow direction, two slow switches") {
    for (int const ranks : {4, 6, 8, 16}) {
        auto const found = sonde::find_suspects(times_of(ranks, [](int a, int b) { return 400 * slow_pair(a, b); }));
        CHECK(is_only(found, pair_1_3));
        auto const to = times_of(ranks, [](int, int b) { return b == 2 ? 1200. : 400.; });
        CHECK(is_only(sonde::find_suspects(to), {suspect_kind::rank, suspect_direction::to, 2}));
    }
    auto const switches = times_of(16, [](int a, int b) {
        return a / 4 == b / 4 ? 400. : (a / 4 == 1 && b / 4 == 3) || (a / 4 == 3 && b / 4 == 1) ? 1800. : 600.;
    });
    CHECK(is_only(sonde::find_suspects(switches, sonde::find_rank_groups(switches)),
                  {suspect_kind::groups, suspect_direction::both, 1, 3}));
}
TEST_CASE("suspects: equal exact times have no suspect, whatever the factor and the level") {
    for (int const ranks : {4, 5, 8, 16})
        for (double const factor : {1., 1.2})
            CHECK(sonde::find_suspects(times_of(ranks, [](int, int) { return 400; }), {}, {0.5, factor}).empty());
}
TEST_CASE("suspects: groups must be one for each rank, and numbers of groups") {
    std::vector<std::vector<int>> const wrong{{0}, {0, 0, 1, 1, 2}, {0, 0, -1, 1}, {0, 0, 1, 4}, {0, 0, 1, 70000}};
    for (auto const& groups : wrong)
        for (int const ranks : {3, 4})
            CHECK_THROWS_WITH_AS(static_cast<void>(sonde::find_suspects(sonde::pair_times{ranks}, groups)),
                                 "sonde::find_suspects: a group for each rank, from 0 and below the number of ranks",
                                 std::invalid_argument);
}
TEST_CASE("suspects: a rate of false alarms in percent is refused") {
    for (double const rate : {1.0, 5.0, -0.1})
        CHECK_THROWS_WITH_AS(
            (void)sonde::find_suspects(sonde::pair_times{4}, {}, {.false_alarms = rate}),
            "sonde::find_suspects: the rate of false alarms must be at least 0 and below 1: 0.02 is 2 %",
            std::invalid_argument const&);
    CHECK_NOTHROW((void)sonde::find_suspects(sonde::pair_times{4}, {}, {.false_alarms = 0.5}));
}
TEST_CASE("suspects: a factor below 1, such as the part by which a time is longer, is refused") {
    for (double const factor : {0.2, 0.999, 0., -1.2, std::numeric_limits<double>::max() * 10})
        for (int const ranks : {2, 4})
            CHECK_THROWS_WITH_AS((void)sonde::find_suspects(sonde::pair_times{ranks}, {}, {.factor = factor}),
                                 "sonde::find_suspects: the factor must be at least 1: 1.2 is 20 % more time",
                                 std::invalid_argument const&);
    CHECK_NOTHROW((void)sonde::find_suspects(sonde::pair_times{4}, {}, {.factor = 1}));
}

TEST_CASE("suspects: in ticks of a clock, a factor of three is found in all maps, and nothing in equal ones") {
    for (double const noise : {0., 1., 2., 3., 4., 6.}) {
        int ranks_found = 0, pairs_found = 0, alarms = 0;
        for (unsigned seed = 1; seed <= 200; ++seed) {
            ranks_found += is_only(sonde::find_suspects(in_ticks(8, seed, noise, slow_rank)), rank_2);
            pairs_found += is_only(sonde::find_suspects(in_ticks(8, seed, noise, slow_pair)), pair_1_3);
            alarms += !sonde::find_suspects(in_ticks(8, seed, noise, equal)).empty();
        }
        CHECK(ranks_found == 200);
        CHECK(pairs_found == 200);
        CHECK(alarms == 0);
    }
}
TEST_CASE("suspects: nothing is named among equal ranks, whatever the noise and the tick, in more than a map of 50") {
    for (auto const& m : {measured{250, 20, 125. / 3}, measured{265, 20, 125. / 3}, measured{430, 20, 125. / 3},
                          measured{105, 5, 10}, measured{55, 4, 10}, measured{225, 20, 100}, measured{2250, 500, 1000},
                          measured{2000, 50, 1}, measured{2000, 200, 1}, measured{2000, 500, 1}})
        for (int const ranks : {4, 6, 8, 16}) {
            CAPTURE(m.mean);
            CAPTURE(m.tick);
            CAPTURE(ranks);
            int alarms = 0;
            for (unsigned seed = 1; seed <= 100; ++seed)
                alarms += !sonde::find_suspects(in_ticks(ranks, seed, m, equal)).empty();
            CHECK(alarms <= 2);
        }
}
TEST_CASE("suspects: a rank three times slower is named, and alone, where its readings are few ticks") {
    auto const alone = [](measured const& m, int ranks) {
        int found = 0;
        for (unsigned seed = 1; seed <= 100; ++seed)
            found += is_only(sonde::find_suspects(in_ticks(ranks, seed, m, slow_rank)), rank_2);
        return found;
    };
    for (auto const& m : {measured{105, 2, 10}, measured{1200, 20, 100}})
        for (int const ranks : {4, 6, 8, 16}) CHECK(alone(m, ranks) >= 95);
    for (int const ranks : {8, 16}) CHECK(alone({5100, 200, 1000}, ranks) >= 95);
}
TEST_CASE("suspects: no pair of a slow rank is named beside it, where it is significant in one direction only") {
    auto const named = [](std::vector<suspect> const& found, suspect_kind kind) {
        return std::any_of(found.begin(), found.end(), [&](suspect const& s) { return s.kind == kind; });
    };
    int ranks_named = 0, both_named = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        auto const found = sonde::find_suspects(in_ticks(6, seed, {3500, 200, 1000}, slow_rank));
        ranks_named += named(found, suspect_kind::rank);
        both_named += named(found, suspect_kind::rank) && named(found, suspect_kind::pair);
    }
    CHECK(ranks_named > 150);
    CHECK(both_named == 0);
}
TEST_CASE("suspects: times that are no numbers are not measured") {
    for (double const none : {std::nan(""), HUGE_VAL, -1.}) {
        auto times = times_of(6, [](int, int) { return 1000; });
        for (int to = 1; to != 6; ++to) times.at(0, to) = sonde::seconds{none};
        CHECK(sonde::find_suspects(times).empty());
        CHECK(sonde::find_rank_groups(times) == std::vector<int>(6));
    }
}
TEST_CASE("suspects: readings of a clock whose resolution is not known") {
    for (double const noise : {0., 1., 3., 6.}) {
        int found = 0, alarms = 0;
        for (unsigned seed = 1; seed <= 200; ++seed) {
            auto slow = in_ticks(8, seed, noise, slow_rank), same = in_ticks(8, seed, noise, equal);
            slow.resolution = same.resolution = {};
            found += is_only(sonde::find_suspects(slow), rank_2);
            alarms += !sonde::find_suspects(same).empty();
        }
        CHECK(found == 200);
        CHECK(alarms == 0);
    }
}
TEST_CASE("suspects: in ticks of a clock whose resolution is not known, no equal rank is named, and the same as if it "
          "were known") {
    for (auto const& m : {measured{50, 2.5, 10}, measured{50, 10, 10}, measured{55, 4, 10}, measured{100, 5, 10},
                          measured{100, 5, 25}, measured{90, 10, 25}, measured{2000, 50, 1}})
        for (int const ranks : {4, 8, 16}) {
            CAPTURE(m.mean);
            CAPTURE(m.deviation);
            CAPTURE(m.tick);
            CAPTURE(ranks);
            int alarms = 0, as_if_known = 0;
            for (unsigned seed = 1; seed <= 100; ++seed) {
                auto same = in_ticks(ranks, seed, m, equal), slow = in_ticks(ranks, seed, m, slow_rank);
                auto const wanted = sonde::find_suspects(slow);
                same.resolution = slow.resolution = {};
                alarms += !sonde::find_suspects(same).empty();
                as_if_known += sonde::find_suspects(slow) == wanted;
            }
            CHECK(alarms <= 2);
            CHECK(as_if_known >= (ranks == 4 ? 80 : 95)); // of few times, the smallest difference may be two ticks
        }
}
TEST_CASE("suspects: differences of exact times, and of rounding errors, are no ticks") {
    for (double const within : {300., 400., 1. / 3}) // classes and a slow rank with a common divisor
        for (int const per_group : {2, 3, 4}) {
            CAPTURE(within);
            CAPTURE(per_group);
            std::vector<int> groups;
            for (int rank = 0; rank != 4 * per_group; ++rank) groups.push_back(rank / per_group);
            auto times = times_of(4 * per_group, [&](int a, int b) {
                return within * (a / per_group == b / per_group ? 1 : 4) * slow_rank(a, b) * (1 + 1e-15 * (a - b));
            });
            CHECK(is_only(sonde::find_suspects(times, groups), rank_2));
        }
}
TEST_CASE("suspects: one tick is no difference, even where the smallest is to be named") {
    auto const one_tick = [](int ranks, std::function<bool(int, int)> const& longer) {
        auto times = times_of(ranks, [&](int a, int b) { return longer(a, b) ? 390 + tick : 390; });
        times.resolution = sonde::seconds{1e-9 * tick};
        return times;
    };
    for (int const ranks : {4, 8, 16}) {
        CHECK(sonde::find_suspects(one_tick(ranks, [](int a, int b) { return slow_rank(a, b) > 1; }), {}, {0.5, 1})
                  .empty());
        CHECK(sonde::find_suspects(one_tick(ranks, [](int a, int b) { return slow_pair(a, b) > 1; }), {}, {0.5, 1})
                  .empty());
        CHECK(
            sonde::find_suspects(one_tick(ranks, [](int a, int b) { return (a + b) % 2 == 0; }), {}, {0.5, 1}).empty());
    }
    auto halves = times_of(8, [](int a, int b) { return a / 4 == b / 4 ? 30 : 40; });
    CHECK(sonde::find_rank_groups(halves) == std::vector{0, 0, 0, 0, 1, 1, 1, 1});
    halves.resolution = sonde::seconds{10e-9};
    CHECK(sonde::find_rank_groups(halves) == std::vector<int>(8));
}
TEST_CASE("suspects: pairs that were not measured do not count") {
    auto some = times_of(8, slow_rank);
    for (int rank = 0; rank != 8; ++rank) some.at(rank, (rank + 3) % 8) = {};
    CHECK(is_only(sonde::find_suspects(some), rank_2));
    CHECK(sonde::find_suspects(sonde::pair_times{8}).empty());
}
TEST_CASE("suspects: a simulated rank that works 5 us more, and the resolution of the clock over the batch") {
    auto const maps = on_ranks(6, {1us, 500ns, 200ns, 0ns}, [&](process& self) {
        auto group = self.group();
        auto const plan = sonde::plan<>{}
                              .warmup(0)
                              .batch(4)
                              .until(sonde::samples{6})
                              .synchronized(sonde::no_sync{})
                              .timed_by(coarse_clock{self.clock()});
        auto const work = [&](int peer, role role) {
            auto const more = self.rank() == 2 || peer == 2 ? 5us : 0us;
            return working{&self, role, {2us + more}};
        };
        return sonde::map(group, plan, work);
    });
    for (auto const& m : maps) {
        CHECK(std::llround(1e12 * m.median.resolution.count()) == 25000 / 4);
        CHECK(ns(m.median.at(0, 1)) == 2000);
        auto const found = sonde::find_suspects(m.median, sonde::find_rank_groups(m.median));
        REQUIRE(found.size() == 1);
        CHECK(found[0].kind == suspect_kind::rank);
        CHECK(found[0].direction == suspect_direction::both);
        CHECK(found[0].rank == 2);
        CHECK(std::llround(1000 * found[0].factor) == 3500);
    }
}
