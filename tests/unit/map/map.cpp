// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/group/pair.hpp>
#include <sonde/map.hpp>
#include <sonde/pattern/point_to_point.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;

namespace {

/// The map in a simulated world, of a pattern in which an initiator `from` works 1 us for each of 10 from + to.
std::vector<sonde::pair_map> maps(int ranks, sonde::pairs_at_once at_once, int rounds = 0) {
    return on_ranks(ranks, {1us, 5us, 0us, 0ns}, [&](process& self) {
        auto group = self.group();
        auto const plan =
            sonde::plan<>{}.warmup(0).until(sonde::samples{6}).synchronized(sonde::no_sync{}).timed_by(self.clock());
        auto const work = [&](int peer, role role) {
            return working{&self, role, {std::chrono::microseconds{10 * (self.rank() + 1) + peer}}};
        };
        return sonde::map(group, plan, work, {.at_once = at_once, .rounds = rounds, .after_round = {}});
    });
}

} // namespace

TEST_CASE("map: the time of each pair in each direction, equal on every rank") {
    for (auto const at_once : {sonde::pairs_at_once::one, sonde::pairs_at_once::round})
        for (int const ranks : {1, 2, 3, 4, 5}) {
            auto const found = maps(ranks, at_once);
            for (auto const& m : found) {
                REQUIRE(m.median.ranks == ranks);
                for (int from = 0; from != ranks; ++from)
                    for (int to = 0; to != ranks; ++to) {
                        auto const expected = from == to ? 0 : 1000LL * (10 * (from + 1) + to);
                        CHECK(ns(m.median.at(from, to)) == expected);
                        CHECK(ns(m.low.at(from, to)) == expected);
                        CHECK(ns(m.high.at(from, to)) == expected);
                    }
            }
        }
}

TEST_CASE("map: the interval of the median of six samples is from the shortest to the longest") {
    auto const found = on_ranks(2, {1us, 5us, 0us, 0ns}, [&](process& self) {
        auto group = self.group();
        auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{6}).timed_by(self.clock());
        auto const work = [&](int, role role) { return working{&self, role, {60us, 10us, 50us, 20us, 40us, 30us}}; };
        return sonde::map(group, plan, work);
    });
    for (auto const& m : found) {
        CHECK(ns(m.low.at(0, 1)) == 10'000);
        CHECK(ns(m.median.at(0, 1)) == 35'000);
        CHECK(ns(m.high.at(0, 1)) == 60'000);
    }
}

namespace {

/// A map by a synchronizer, of ranks whose clocks differ, and whose readings take 50 ns. The iterations of a rank take
/// the time of `maps`.
sonde::pair_times synchronized_map(int ranks, sonde::pairs_at_once at_once, auto synchronizer_of) {
    return on_ranks(ranks, {1us, 5us, 0us, 0ns},
                    [&](process& self) {
                        auto group = self.group();
                        auto const clock = self.clock({.offset = self.rank() * 1s, .cost = 50ns});
                        auto const plan = sonde::plan<>{}.warmup(2).until(sonde::samples{6}).timed_by(clock);
                        auto const work = [&](int peer, role role) {
                            return working{&self, role, {std::chrono::microseconds{10 * (self.rank() + 1) + peer}}};
                        };
                        return sonde::map_on_root(group, plan.synchronized(synchronizer_of(clock, group)), work,
                                                  {.at_once = at_once});
                    })[0]
        .value()
        .median;
}

} // namespace

TEST_CASE("map: with every synchronizer, also those that send messages or start at one time") {
    for (auto const at_once : {sonde::pairs_at_once::one, sonde::pairs_at_once::round})
        for (int const ranks : {2, 3, 4}) {
            CAPTURE(ranks);
            auto const check = [&](auto synchronizer_of) {
                auto const found = synchronized_map(ranks, at_once, synchronizer_of);
                for (int from = 0; from != ranks; ++from)
                    for (int to = 0; to != ranks; ++to)
                        CHECK(ns(found.at(from, to)) == (from == to ? 0 : 1000LL * (10 * (from + 1) + to) + 50));
            };
            check([](auto const&, auto&) { return sonde::no_sync{}; });
            check([](auto const&, auto&) { return sonde::barrier_once{}; });
            check([](auto const&, auto&) { return sonde::barrier_each{}; });
            check([](auto const&, auto&) { return sonde::dissemination_barrier{}; });
            check([](auto const& clock, auto& group) { return sonde::synchronized_start{group, clock}; });
        }
}

TEST_CASE("a synchronized start for other ranks is refused on all ranks of a pair, before the clocks are compared") {
    auto const texts = on_ranks(3, {1us, 5us, 0us, 0ns}, [](process& self) -> std::string {
        auto all = self.group();
        sonde::synchronized_start const start{all, self.clock()};
        if (self.rank() == 2) return "";
        sonde::pair_group pair{all.control_channel(), self.rank(), 1 - self.rank()};
        try {
            static_cast<void>(sonde::run(
                pair, sonde::plan<>{}.timed_by(self.clock()).synchronized(start), [] {}, ""));
        } catch (std::invalid_argument const& e) {
            return e.what();
        }
        return "not refused";
    });
    std::string const refused = "sonde::synchronized_start: made for a group of 3 ranks, and called with a group of 2; "
                                "make it for the group that measures";
    CHECK(texts == std::vector<std::string>{refused, refused, ""});
}

TEST_CASE("map: all ranks, the peer too, tell on which rank of the group a pattern could not be made") {
    for (auto const at_once : {sonde::pairs_at_once::one, sonde::pairs_at_once::round})
        for (int const peer : {0, 1, 3}) {
            auto const texts = on_ranks(4, {1us, 5us, 0us, 0ns}, [&](process& self) -> std::string {
                auto group = self.group();
                auto const make = [&](int with, role role) {
                    if (self.rank() == 2 && with == peer) throw std::domain_error{"no link"};
                    return working{&self, role, {10us}};
                };
                try {
                    static_cast<void>(sonde::map(group, sonde::plan<>{}.timed_by(self.clock()).until(sonde::samples{2}),
                                                 make, {.at_once = at_once}));
                } catch (std::exception const& e) {
                    return e.what();
                }
                return "";
            });
            std::string const elsewhere = "sonde: an exception was thrown on rank 2";
            CHECK(texts == std::vector<std::string>{elsewhere, elsewhere, "no link", elsewhere});
        }
}

TEST_CASE("map: one pair after another, or all pairs of a round at the same time") {
    struct period {
        sonde::seconds begin{}, end{};
    };
    for (auto const at_once : {sonde::pairs_at_once::one, sonde::pairs_at_once::round}) {
        auto const of_ranks = on_ranks(4, {1us, 5us, 0us, 0ns}, [&](process& self) {
            auto group = self.group();
            auto const clock = self.clock();
            std::vector<period> with(4);
            auto const make = [&](int peer, role) {
                return [&, peer] {
                    auto& now = with[static_cast<std::size_t>(peer)];
                    if (now.begin == sonde::seconds{}) now.begin = sonde::since_epoch(clock.now());
                    self.work(100us);
                    now.end = sonde::since_epoch(clock.now());
                };
            };
            auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{2}).timed_by(clock);
            static_cast<void>(sonde::map(group, plan, make, {.at_once = at_once}));
            return with;
        });
        for (std::size_t const peer : {1u, 2u, 3u}) { // of rank 0, and the other pair of its round
            std::size_t const low = peer == 1 ? 2 : 1, high = 6 - peer - low;
            auto const a = of_ranks[0][peer], b = of_ranks[low][high];
            CHECK((a.begin < b.end && b.begin < a.end) == (at_once == sonde::pairs_at_once::round));
        }
    }
}

TEST_CASE("map: some of the rounds") {
    auto const found = maps(8, sonde::pairs_at_once::round, 3);
    sonde::pairing_rounds const rounds{8};
    for (int from = 0; from != 8; ++from)
        for (int to = 0; to != 8; ++to) {
            auto const in = [&](int round) { return rounds.partner(round, from) == to; };
            CHECK((found[7].median.at(from, to) > 0s) == (in(0) || in(2) || in(4)));
        }
}

TEST_CASE("shift map: each rank's own time of what it sends, after what it received was complete") {
    struct shifted {
        working work;
        int* finished;
        void operator()() { work(); }
        void finish() { ++*finished; }
        sonde::traffic traffic() const { return work.traffic(); }
    };
    for (int const ranks : {2, 3, 5}) {
        auto const found = on_ranks(ranks, {1us, 5us, 0us, 0ns}, [&](process& self) {
            auto group = self.group();
            int finished = 0, rounds = 0;
            auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{6}).timed_by(self.clock());
            auto const work = [&](int to, int from) {
                CHECK((to - self.rank() + ranks) % ranks == (self.rank() - from + ranks) % ranks);
                return shifted{{&self, role::initiator, {std::chrono::microseconds{10 * (self.rank() + 1) + to}}},
                               &finished};
            };
            auto const options = sonde::map_options{.after_round = [&](sonde::pair_map const&, int done, int all) {
                CHECK(done == ++rounds);
                CHECK(all == ranks - 1);
            }};
            auto const all = sonde::shift_map(group, plan, work, options);
            CHECK(finished == 7 * (ranks - 1));
            CHECK(rounds == (self.rank() == 0 ? ranks - 1 : 0));
            return all;
        });
        for (auto const& m : found)
            for (int from = 0; from != ranks; ++from)
                for (int to = 0; to != ranks; ++to)
                    CHECK(ns(m.median.at(from, to)) == (from == to ? 0 : 1000LL * (10 * (from + 1) + to)));
    }
}

TEST_CASE("map_on_root, shift_map_on_root: the map is that of all ranks, on rank 0, and the others have none") {
    struct shifted : working {
        void finish() const {}
    };
    for (bool const shifts : {false, true}) {
        auto const found = on_ranks(4, {1us, 5us, 0us, 0ns}, [&](process& self) {
            auto group = self.group();
            auto const plan = sonde::plan<>{}
                                  .warmup(0)
                                  .until(sonde::samples{6})
                                  .synchronized(sonde::no_sync{})
                                  .timed_by(self.clock());
            auto const time = [&](int to) { return std::chrono::microseconds{10 * (self.rank() + 1) + to}; };
            auto const work = [&](int peer, role role) { return working{&self, role, {time(peer)}}; };
            auto const shift = [&](int to, int) { return shifted{{&self, role::initiator, {time(to)}}}; };
            return shifts ? sonde::shift_map_on_root(group, plan, shift) : sonde::map_on_root(group, plan, work);
        });
        REQUIRE(found[0].has_value());
        CHECK(found[0]->median.ranks == 4);
        CHECK(ns(found[0]->median.at(3, 2)) == 42'000);
        for (std::size_t rank = 1; rank != 4; ++rank) CHECK(!found[rank].has_value());
    }
}

TEST_CASE("map: a result for all ranks is broadcast in pieces, equal on all of them, of more than one piece") {
    constexpr int ranks = 33; // 1089 times in each matrix
    std::vector<std::size_t> longest(ranks);
    auto const found = on_ranks(ranks, {}, [&](process& self) {
        struct watched : sonde::sim::group {
            std::size_t* longest;
            void all_reduce(std::span<double> v, sonde::reduction how) {
                *longest = std::max(*longest, v.size());
                sonde::sim::group::all_reduce(v, how);
            }
        } group{self.group(), &longest[static_cast<std::size_t>(self.rank())]};
        if (self.rank() != 0) return sonde::detail::broadcast(group, {});
        sonde::pair_map all{ranks};
        for (std::size_t i = 0; i != all.median.times.size(); ++i) {
            all.median.times[i] = std::chrono::nanoseconds{i};
            all.high.times[i] = std::chrono::nanoseconds{2 * i};
        }
        return sonde::detail::broadcast(group, all);
    });
    for (auto const& one : found) {
        REQUIRE(one.median.times.size() == 1089);
        for (std::size_t i = 0; i != 1089; ++i) {
            CHECK(ns(one.median.times[i]) == static_cast<long long>(i));
            CHECK(ns(one.low.times[i]) == 0);
            CHECK(ns(one.high.times[i]) == 2 * static_cast<long long>(i));
        }
    }
    for (auto const n : longest) CHECK(n == 1024);
}

namespace {

/// The messages of the exceptions of a map's ranks, of which rank 1 has other options or another plan.
std::vector<std::string> refusals(sonde::map_options const& others, std::size_t samples_of_others, bool shifts) {
    return on_ranks(3, {}, [&](process& self) -> std::string {
        auto group = self.group();
        auto const differs = self.rank() == 1;
        auto const plan =
            sonde::plan<>{}.warmup(0).until(sonde::samples{differs ? samples_of_others : 6}).timed_by(self.clock());
        struct nothing {
            void operator()() {}
            void finish() {}
        };
        auto const options = differs ? others : sonde::map_options{};
        try {
            if (shifts)
                static_cast<void>(sonde::shift_map(
                    group, plan, [](int, int) { return nothing{}; }, options));
            else
                static_cast<void>(sonde::map(
                    group, plan, [](int, role) { return nothing{}; }, options));
        } catch (std::invalid_argument const& e) {
            return e.what();
        }
        return "";
    });
}

} // namespace

TEST_CASE("map: options or a plan that differ between ranks are refused on all ranks, which names the parts") {
    using sonde::pairs_at_once;
    for (bool const shifts : {false, true}) {
        std::string const function = shifts ? "sonde::shift_map: " : "sonde::map: ";
        auto const refused = [&](std::string const& why, sonde::map_options const& others, std::size_t samples = 6) {
            for (auto const& message : refusals(others, samples, shifts)) CHECK(message == function + why);
        };
        std::string const options = "the options must be equal on all ranks; these parts differ: ";
        refused(options + "pairs at once", {.at_once = pairs_at_once::round});
        refused(options + "rounds", {.rounds = 1});
        refused(options + "pairs at once, rounds", {.at_once = pairs_at_once::round, .rounds = 1});
        refused("the plan must be equal on all ranks; these parts differ: stopping rule", {}, 7);
        for (auto const& message : refusals({.after_round = [](sonde::pair_map const&, int, int) {}}, 6, shifts))
            CHECK(message.empty()); // it is called on rank 0 alone
    }
}
