// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace unit;

namespace {

/// The record of ping-pongs of n bytes between ranks 0 and 1.
sonde::record measured(network_parameters net, std::size_t n, std::size_t batch = 1) {
    return on_ranks(2, net,
                    [&](process& self) {
                        std::vector<std::byte> out(n), in(n);
                        auto group = self.group();
                        auto const pair = sonde::pair_of(self.rank(), 1);
                        sonde::ping_pong pattern{self.link(pair.peer), pair.role, sonde::slice{out}, sonde::slice{in}};
                        auto const plan = sonde::plan<>{}.batch(batch).until(sonde::samples{5}).timed_by(self.clock());
                        return sonde::run(group, plan, pattern);
                    })
        .front();
}

} // namespace

TEST_CASE("ping_pong: a round trip is twice overhead, latency and overhead") {
    auto const r = measured(log_gp_network, 1);
    CHECK(ns(r.series) == std::vector<long long>(5, 2 * (1000 + 5000 + 1000)));
    CHECK(ns(sonde::latency(r)) == 7000);
}

TEST_CASE("ping_pong: every byte after the first takes its gap, each way") {
    CHECK(ns(measured(log_gp_network, 1001).over_ranks.mean) == 2 * (1000 + 1000 * 2 + 5000 + 1000));
    CHECK(ns(measured(log_gp_network, 0).over_ranks.mean) == 2 * (1000 + 5000 + 1000));
}

TEST_CASE("ping_pong: the gap between messages overlaps with the round trip, also between iterations") {
    CHECK(ns(measured(log_gp_network, 1, 100).over_ranks.mean) == 14'000);
    CHECK(ns(measured({1us, 5us, 0us, 0ns}, 1, 100).over_ranks.mean) == 14'000);
}

TEST_CASE("ping_pong: the initiator counts one message each way, so that bandwidth is that of one direction") {
    auto const r = measured(log_gp_network, 64);
    CHECK(r.total.bytes == 2 * 64);
    CHECK(r.total.messages == 2);
    CHECK(ns(sonde::seconds{64 / sonde::bandwidth(r)}) == 1000 + 63 * 2 + 5000 + 1000);
    CHECK(r.total.hops == 2);
    CHECK(r.initiators == 1);
    CHECK(r.ranks == 2);
}
