// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../support.hpp"

#include <sonde/sim/network.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace unit {

using sonde::sim::cluster;
using sonde::sim::link_busy_time;
using sonde::sim::picoseconds;
using sonde::sim::shared_link;

/// A link with a nanosecond a byte.
inline shared_link byte_a_ns(std::size_t chunk, picoseconds latency) {
    return {chunk, sonde::model::rate{1e9}, latency};
}

/// The results of f(process&) on each rank of a cluster.
template <class F>
auto on_nodes(cluster on, network_parameters within, F f) {
    std::vector<decltype(f(std::declval<process&>()))> results(on.node_of_rank.size());
    sonde::sim::world{on, within}.run([&](process& self) { results[static_cast<std::size_t>(self.rank())] = f(self); });
    return results;
}

/// Pairs of ping-pongs between two nodes; the second pair may be late.
struct ping_pongs {
    int pairs = 2;
    std::size_t bytes = 0;
    int repetitions = 1;
    picoseconds late{};
};

struct outcome {
    picoseconds took{};   // until the last initiator's last answer
    link_busy_time use{}; // of the first node
};

inline outcome outcome_of(ping_pongs p, shared_link link) {
    sonde::sim::world world{sonde::sim::block_distribution(2, p.pairs, link)};
    std::vector<picoseconds> ended(2 * static_cast<std::size_t>(p.pairs));
    world.run([&](process& self) {
        std::vector<std::byte> out(p.bytes), in(p.bytes);
        auto const pair = sonde::pair_of(self.rank(), p.pairs);
        sonde::ping_pong pattern{self.link(pair.peer), pair.role, sonde::slice{out}, sonde::slice{in}};
        if (self.rank() == 1) self.work(p.late);
        for (int i = 0; i != p.repetitions; ++i) pattern();
        ended[static_cast<std::size_t>(self.rank())] = self.now();
    });
    return {*std::max_element(ended.begin(), ended.begin() + p.pairs), world.links().front()};
}
inline picoseconds time_of(ping_pongs p, shared_link link) { return outcome_of(p, link).took; }

/// The time of `repetitions` more, after the beginning.
inline picoseconds more_of(ping_pongs p, shared_link link) {
    auto twice = p;
    twice.repetitions *= 2;
    return time_of(twice, link) - time_of(p, link);
}

} // namespace unit
