// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tools::model {

/// Two ranks that exchange messages: the first begins.
struct couple {
    int initiator;
    int responder;
    friend bool operator==(couple const&, couple const&) = default;
};

/// Which ranks talk to which.
struct places {
    std::vector<couple> pairs;
    bool across = false; // each pair has one rank on each of the same two nodes
};

/// At most so many pairs of ranks: all initiators on rank 0's node, all responders on one other.
///
/// Of the other nodes that which makes the most pairs, the first of them. Where all ranks are on one node, of the first
/// ranks one half initiates, and the other responds. `node_of_rank` is as in `environment::host_of_rank`.
places pair_off(std::vector<int> const& node_of_rank, std::size_t most);

/// "ranks 0-2, 1-3 between two nodes".
std::string text_of(places const& where);

} // namespace tools::model
