// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/units.hpp>
#include <sonde/sim/manual_clock.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace sonde::sim {

/// What joins a node to all others: full duplex, shared by the node's ranks, whose messages take turns chunk by chunk.
struct shared_link {
    std::size_t chunk{};   // C: so many bytes of a message, then it is another rank's turn
    model::rate rate{};    // B_r, in each direction
    picoseconds latency{}; // T_l: from the send of a message until its data may flow

    /// Rounded to a whole picosecond.
    picoseconds transfer_time(std::size_t bytes) const {
        return picoseconds{std::llround(static_cast<double>(bytes) / rate.count() * 1e12)};
    }
};

/// On which node each rank is, counted from 0, and what joins the nodes.
struct nodes {
    std::vector<int> of_rank;
    shared_link link;

    int count() const {
        int most = -1;
        for (auto const node : of_rank) most = node > most ? node : most;
        return most + 1;
    }
    /// Throws std::invalid_argument where nothing could be sent this way.
    void validate() const {
        if (link.chunk == 0) throw std::invalid_argument{"sonde::sim: a chunk needs at least one byte"};
        if (!(link.rate.count() > 0)) throw std::invalid_argument{"sonde::sim: a link needs a rate above 0"};
        if (link.latency < picoseconds{}) throw std::invalid_argument{"sonde::sim: a link cannot be early"};
        for (auto const node : of_rank)
            if (node < 0) throw std::invalid_argument{"sonde::sim: nodes are counted from 0"};
    }
};

/// The first ranks on node 0, as many on node 1, and so on.
[[nodiscard]] inline nodes in_blocks(int many, int ranks_each, shared_link link) {
    nodes made{{}, link};
    for (int rank = 0; rank != many * ranks_each; ++rank) made.of_rank.push_back(rank / ranks_each);
    return made;
}

/// How long data flowed between a node and the others.
struct link_use {
    picoseconds out{};
    picoseconds in{};
    picoseconds both{}; // at the same time
};

} // namespace sonde::sim
