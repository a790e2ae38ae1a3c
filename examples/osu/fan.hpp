// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "bench.hpp"
#include "world_nodes.hpp"

#include <sonde/mpi/multi_peer_link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/stream.hpp>

#include <array>
#include <cstddef>

namespace osu {

/// All sizes of a fan: of each, a window of messages to or from every peer, then a byte back.
inline void measure_fan(bench& bench, bool parents_send) {
    auto const all = nodes_of(bench.world());
    auto const mine = seat_of(bench.world().rank(), all);
    auto const who = mine.parent == parents_send ? sonde::role::initiator : sonde::role::responder;
    auto const window = bench.asked().window, peers = mine.peers.size();
    std::array<std::byte, 1> token{};
    auto const pattern = [&](auto out, auto in, sonde::mpi::elements as, direct auto through) {
        sonde::traffic const moved{window * peers * out.size(), window * peers, 1};
        return sonde::moving{
            moved, sonde::stream{through(sonde::mpi::multi_peer_link{bench.world(), mine.peers, 100, as}), who, window,
                                 out, in, sonde::mpi::multi_peer_link{bench.world(), mine.peers, 101},
                                 sonde::slice{token}, sonde::overlapping_receives}};
    };
    for (auto const& type : bench.types()) {
        bench.begin(type);
        for (auto const size : bench.sizes(type)) {
            spot const at{type, size, window, all.size() - 1};
            if (!bench.report(size, bench.run(at, bench.plan(size), pattern))) break;
        }
    }
}

} // namespace osu
