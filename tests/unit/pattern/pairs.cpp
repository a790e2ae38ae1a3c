// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <vector>

using namespace unit;

namespace {

void check_seat(int rank, int pairs, role who, int peer) {
    CAPTURE(rank);
    CAPTURE(pairs);
    CHECK(sonde::pair_of(rank, pairs).role == who);
    CHECK(sonde::pair_of(rank, pairs).peer == peer);
}

} // namespace

TEST_CASE("pairs: rank r < pairs initiates, rank r + pairs responds, the rest are idle") {
    check_seat(0, 2, role::initiator, 2);
    check_seat(1, 2, role::initiator, 3);
    check_seat(2, 2, role::responder, 0);
    check_seat(3, 2, role::responder, 1);
    check_seat(4, 2, role::idle, sonde::no_peer);
    check_seat(0, 0, role::idle, sonde::no_peer);
}

TEST_CASE("pairs: more pairs than ranks can fill do not overflow") {
    auto const most = std::numeric_limits<int>::max();
    check_seat(most, most, role::responder, 0);
    check_seat(0, most, role::initiator, most);
}

TEST_CASE("pairs: negative numbers are refused") {
    CHECK_THROWS_AS(sonde::pair_of(-1, 1), std::invalid_argument);
    CHECK_THROWS_AS(sonde::pair_of(0, -1), std::invalid_argument);
}

TEST_CASE("two pairs and an idle rank: the series is the slower pair's, the traffic both initiators'") {
    auto const records = on_ranks(5, {1us, 5us, 0us, 0ns}, [](process& self) {
        std::vector<std::byte> out(8), in(8);
        auto group = self.group();
        auto const pair = sonde::pair_of(self.rank(), 2);
        sonde::ping_pong trip{self.link(pair.peer), pair.role, sonde::slice{out}, sonde::slice{in}};
        auto const busy = [&] {
            if (self.rank() == 1) self.work(4us);
        };
        auto const plan = sonde::plan<>{}.until(sonde::samples{3}).timed_by(self.clock());
        return sonde::run(group, plan, sonde::with_setup{busy, trip});
    });
    for (auto const& r : records) {
        CHECK(ns(r.series) == std::vector<long long>{18'000, 18'000, 18'000});
        CHECK(ns(r.over_ranks.min) == 14'000);
        CHECK(ns(r.over_ranks.mean) == 16'000);
        CHECK(r.total.bytes == 32);
        CHECK(r.total.messages == 4);
        CHECK(r.total.hops == 2);
        CHECK(r.initiators == 2);
        CHECK(r.ranks == 5);
    }
}
