// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/units.hpp>
#include <sonde/sim/clock.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace sonde::sim {

/// The full-duplex link between a node and all others. The ranks of the node share it: their messages alternate, chunk
/// by chunk.
struct shared_link {
    std::size_t chunk{};   // C: bytes of a message that are sent before another rank's turn
    model::rate rate{};    // B_r, in each direction
    picoseconds latency{}; // T_l: from the send of a message until its data may flow

    /// Rounded to a whole picosecond.
    picoseconds transfer_time(std::size_t bytes) const {
        return picoseconds{std::llround(static_cast<double>(bytes) / rate.count() * 1e12)};
    }
};

/// The node of each rank, counted from 0, and the link of each node.
struct cluster {
    std::vector<int> node_of_rank;
    shared_link link;

    int node_count() const {
        auto const highest = std::max_element(node_of_rank.begin(), node_of_rank.end());
        return highest == node_of_rank.end() ? 0 : *highest + 1;
    }
    /// Throws std::invalid_argument for a link over which no data could flow, and for a negative node.
    void validate() const {
        if (link.chunk == 0) throw std::invalid_argument{"sonde::sim: a chunk must have at least one byte"};
        if (!(link.rate.count() > 0)) throw std::invalid_argument{"sonde::sim: the rate of a link must be positive"};
        if (link.latency < picoseconds{})
            throw std::invalid_argument{"sonde::sim: the latency of a link must not be negative"};
        for (auto const node : node_of_rank)
            if (node < 0) throw std::invalid_argument{"sonde::sim: nodes are counted from 0"};
    }
};

/// A cluster with consecutive ranks on each node: the first `ranks_per_node` ranks on node 0, the next on node 1.
[[nodiscard]] inline cluster block_distribution(int nodes, int ranks_per_node, shared_link link) {
    cluster made{{}, link};
    for (int rank = 0; rank != nodes * ranks_per_node; ++rank) made.node_of_rank.push_back(rank / ranks_per_node);
    return made;
}

/// How long data flowed between a node and the others: out of it, into it, and both at the same time.
struct link_busy_time {
    picoseconds out{};
    picoseconds in{};
    picoseconds both{};
};

/// Every rank waits for another rank, and no message is on its way.
struct deadlock : std::logic_error {
    deadlock() : std::logic_error{"sonde::sim: all ranks wait, and no message is on its way"} {}
};

} // namespace sonde::sim
