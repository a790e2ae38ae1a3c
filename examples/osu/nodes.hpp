// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace osu {

/// Ranks by node, ascending.
using nodes = std::vector<std::vector<int>>;

/// The nodes in the order of their first rank: the first is that of rank 0, wherever the others are.
inline nodes nodes_of(std::vector<std::string> const& name_of_rank) {
    nodes found;
    std::vector<std::string> names;
    for (std::size_t rank = 0; rank != name_of_rank.size(); ++rank) {
        std::size_t node = 0;
        while (node != names.size() && names[node] != name_of_rank[rank]) ++node;
        if (node == names.size()) {
            names.push_back(name_of_rank[rank]);
            found.emplace_back();
        }
        found[node].push_back(static_cast<int>(rank));
    }
    return found;
}

/// Why no fan can be made of these nodes; empty where one can.
inline std::string complaint_about(nodes const& all) {
    if (all.size() < 2) return "Please run this benchmark on more than 1 node";
    for (auto const& node : all)
        if (node.size() != all.front().size()) return "Please run this benchmark with same ppn for all nodes";
    return {};
}

/// A rank's place in its fan: the k-th ranks of all nodes, of which that of the first node is the parent.
struct fan_seat {
    bool parent;
    std::vector<int> peers; // of the parent all others, of the others the parent
};

/// All nodes must have equally many ranks.
inline fan_seat seat_of(int rank, nodes const& all) {
    for (std::size_t k = 0; k != all.front().size(); ++k) {
        std::vector<int> others;
        for (std::size_t node = 1; node != all.size(); ++node) others.push_back(all[node][k]);
        auto const parent = all.front()[k];
        if (rank == parent) return {true, others};
        for (auto const other : others)
            if (rank == other) return {false, {parent}};
    }
    return {false, {}};
}

} // namespace osu
