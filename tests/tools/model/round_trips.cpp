// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include "tools/model/measure/log_gp_measurement.hpp"

#include <sonde/measure/overlap.hpp>
#include <sonde/sim/clock.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace unit;
using sonde::seconds;

namespace {

using sonde::slice;
static_assert(sonde::Pattern<tools::model::round_trips<sonde::sim::link, slice, slice, sonde::busy_wait<>>>);
static_assert(sonde::Pattern<tools::model::spaced_receives<sonde::sim::link, slice, slice, sonde::sim::link, slice,
                                                           slice, sonde::busy_wait<>>>);

/// A number of messages, their size, and a wait between them.
struct series {
    std::size_t n;
    seconds d;
    std::size_t bytes;
    std::size_t batch = 1;
    int ranks = 2;
};

/// Memory and links of a rank.
struct rank_memory {
    sonde::pairing at;
    std::vector<std::byte> out, in, token;

    rank_memory(process& self, std::size_t bytes)
        : at{sonde::pair_of(self.rank(), 1)}, out(bytes), in(bytes), token(1) {}
};

auto being_busy(process& self) {
    return [&self](seconds d) { self.work(std::chrono::nanoseconds{ns(d)}); };
}

/// The record of a pattern made by make(process&, rank_memory&).
template <class Make>
sonde::record measured(network_parameters net, series s, Make make) {
    return on_ranks(s.ranks, net,
                    [&](process& self) {
                        rank_memory mine{self, s.bytes};
                        auto group = self.group();
                        auto const plan =
                            sonde::plan<>{}.batch(s.batch).until(sonde::samples{5}).timed_by(self.clock());
                        return sonde::run(group, plan, make(self, mine));
                    })
        .front();
}

sonde::record round_trips(network_parameters net, series s) {
    return measured(net, s, [&](process& self, rank_memory& mine) {
        return tools::model::round_trips{self.link(mine.at.peer), mine.at.role,          s.n,
                                         sonde::slice{mine.out},  sonde::slice{mine.in}, s.d,
                                         being_busy(self)};
    });
}

/// Rank 0 receives: its time counts.
sonde::record spaced_receives(network_parameters net, series s) {
    return measured(net, s, [&](process& self, rank_memory& mine) {
        return tools::model::spaced_receives{self.link(mine.at.peer),
                                             mine.at.role,
                                             s.n,
                                             sonde::slice{mine.out},
                                             sonde::slice{mine.in},
                                             self.link(mine.at.peer, 1),
                                             sonde::slice{mine.token},
                                             s.d,
                                             being_busy(self)};
    });
}

std::vector<long long> five(long long time) { return std::vector<long long>(5, time); }

/// PRTT(1, 0, s) of `network`.
constexpr long long there_and_back(long long bytes) { return 2 * (1000 + (bytes - 1) * 2 + 5000 + 1000); }

} // namespace

TEST_CASE("round_trips: one message is a ping-pong, 2 (L + o_s + o_r + (s - 1) G)") {
    CHECK(ns(round_trips(log_gp_network, {1, {}, 1}).series) == five(there_and_back(1)));
    CHECK(ns(round_trips(log_gp_network, {1, {}, 1001}).series) == five(there_and_back(1001)));
}

TEST_CASE("round_trips: each further message takes g + (s - 1) G if the network is the limit") {
    CHECK(ns(round_trips(log_gp_network, {12, {}, 1}).series) == five(there_and_back(1) + 11 * 3000));
    CHECK(ns(round_trips(log_gp_network, {12, {}, 1001}).series) == five(there_and_back(1001) + 11 * (3000 + 2000)));
}

TEST_CASE("round_trips: each further message takes the overhead if that is the limit") {
    CHECK(ns(round_trips({4us, 5us, 3us, 0ns}, {12, {}, 1}).series) == five(2 * (4000 + 5000 + 4000) + 11 * 4000));
}

TEST_CASE("round_trips: a wait makes the interval o_s + d, or overlaps with a longer interval of the network") {
    CHECK(ns(round_trips(log_gp_network, {12, 1us, 1}).series) == five(there_and_back(1) + 11 * 3000));
    CHECK(ns(round_trips(log_gp_network, {12, 2us, 1}).series) == five(there_and_back(1) + 11 * 3000));
    CHECK(ns(round_trips(log_gp_network, {12, 2001ns, 1}).series) == five(there_and_back(1) + 11 * 3001));
    CHECK(ns(round_trips(log_gp_network, {12, 20us, 1001}).series) == five(there_and_back(1001) + 11 * 21'000));
}

TEST_CASE("round_trips: a series ends with its answer, so that consecutive series do not overlap") {
    CHECK(ns(round_trips(log_gp_network, {12, {}, 1001, 50}).over_ranks.mean) == there_and_back(1001) + 11 * 5000);
    CHECK(ns(round_trips(log_gp_network, {12, 20us, 1, 50}).over_ranks.mean) == there_and_back(1) + 11 * 21'000);
}

TEST_CASE("spaced_receives: the first message takes a token and a message") {
    CHECK(ns(spaced_receives(log_gp_network, {1, 20us, 1001}).series) == five(there_and_back(1) + 1000 * 2));
}

TEST_CASE("spaced_receives: each further message takes the wait and the overhead of receiving") {
    auto const one = there_and_back(1) + 1000 * 2;
    CHECK(ns(spaced_receives(log_gp_network, {12, 20us, 1001}).series) == five(one + 11 * (20'000 + 1000)));
    CHECK(ns(spaced_receives(log_gp_network, {12, 4us, 1001}).series) == five(one + 11 * (4000 + 1000)));
    CHECK(ns(spaced_receives(log_gp_network, {12, 20us, 1001, 50}).over_ranks.mean) == one + 11 * 21'000);
}

TEST_CASE("spaced_receives: a wait shorter than the interval leaves the interval visible") {
    auto const one = there_and_back(1) + 1000 * 2;
    CHECK(ns(spaced_receives(log_gp_network, {12, 3us, 1001}).series) == five(one + 11 * 5000));
    CHECK(ns(spaced_receives(log_gp_network, {12, {}, 1001}).series) == five(one + 11 * 5000));
}

TEST_CASE("round_trips, spaced_receives: the initiator counts the messages, and no token") {
    auto const r = round_trips(log_gp_network, {12, {}, 100});
    CHECK(r.total.bytes == 13 * 100);
    CHECK(r.total.messages == 13);
    CHECK(r.total.hops == 2);
    CHECK(r.initiators == 1);
    auto const s = spaced_receives(log_gp_network, {12, {}, 100});
    CHECK(s.total.bytes == 12 * 100);
    CHECK(s.total.messages == 12);
    CHECK(s.total.hops == 2);
    CHECK(s.initiators == 1);
}

TEST_CASE("round_trips, spaced_receives: idle ranks take no part and no time") {
    auto const single_rank = round_trips(log_gp_network, {12, 20us, 10}),
               beside = round_trips(log_gp_network, {12, 20us, 10, 1, 4});
    CHECK(beside.series == single_rank.series);
    CHECK(beside.initiators == 1);
    CHECK(spaced_receives(log_gp_network, {3, 20us, 10, 1, 3}).series ==
          spaced_receives(log_gp_network, {3, 20us, 10}).series);
}

TEST_CASE("round_trips, spaced_receives: 0 messages and a negative wait are refused") {
    CHECK_THROWS_AS(round_trips(log_gp_network, {0, {}, 1}), std::invalid_argument);
    CHECK_THROWS_AS(round_trips(log_gp_network, {2, -1ns, 1}), std::invalid_argument);
    CHECK_THROWS_AS(spaced_receives(log_gp_network, {0, {}, 1}), std::invalid_argument);
    CHECK_THROWS_AS(spaced_receives(log_gp_network, {2, -1ns, 1}), std::invalid_argument);
}

namespace {

/// A clock that advances by a microsecond at each reading.
struct stepping_clock {
    int* readings;
    std::chrono::microseconds now() const { return std::chrono::microseconds{++*readings}; }
};

} // namespace

TEST_CASE("busy_wait reads its clock until the requested time has passed, and no longer") {
    int readings = 0;
    sonde::busy_wait wait{stepping_clock{&readings}};
    wait(5us);
    CHECK(readings == 6);
    wait(4500ns);
    CHECK(readings == 12);
    wait(0us);
    CHECK(readings == 14);
}
