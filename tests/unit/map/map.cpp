// SPDX-License-Identifier: BSL-1.0
#include "../support.hpp"

#include <sonde/map/map.hpp>
#include <sonde/patterns/ping_pong.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace unit;

namespace {

/// The map in a simulated world, of a pattern in which an initiator `from` works 1 us for each of 10 from + to.
std::vector<sonde::pair_map> maps(int ranks, sonde::pairs_at_once at_once, bool everywhere = true) {
    return on_ranks(ranks, {1us, 5us, 0us, 0ns}, [&](process& self) {
        auto group = self.group();
        auto const plan =
            sonde::plan<>{}.warmup(0).until(sonde::samples{6}).synchronized(sonde::no_sync{}).timed_by(self.clock());
        auto const work = [&](int peer, role plays) {
            return working{&self, plays, {std::chrono::microseconds{10 * (self.rank() + 1) + peer}}};
        };
        return sonde::map(group, sonde::sim::control_channel{self}, plan, work, at_once, everywhere);
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

TEST_CASE("map: on rank 0 only, if that is asked for") {
    auto const found = maps(4, sonde::pairs_at_once::round, false);
    CHECK(found[0].median.ranks == 4);
    CHECK(ns(found[0].median.at(3, 2)) == 42'000);
    for (std::size_t rank = 1; rank != 4; ++rank) CHECK(found[rank].median.times.empty());
}
