// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace osu {

/// The ranks of each node, ascending.
using nodes = std::vector<std::vector<int>>;

/// Nodes by the name of each rank's node, in the order of their first ranks: the first node is that of rank 0.
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

/// Why these nodes have no fans; empty if they have: at least two nodes with the same number of ranks.
inline std::string complaint_about(nodes const& all) {
    if (all.size() < 2) return "Please run this benchmark on more than 1 node";
    for (auto const& node : all)
        if (node.size() != all.front().size()) return "Please run this benchmark with same ppn for all nodes";
    return {};
}

/// The k-th ranks of all nodes: one parent, the rank of the first node, and its children.
struct fan {
    bool parent;            // true if this rank is the parent
    std::vector<int> peers; // the children if this rank is the parent, otherwise the parent
};

/// The fan of a rank, for nodes with the same number of ranks.
inline fan fan_of(int rank, nodes const& all) {
    for (std::size_t k = 0; k != all.front().size(); ++k) {
        std::vector<int> children;
        for (std::size_t node = 1; node != all.size(); ++node) children.push_back(all[node][k]);
        auto const parent = all.front()[k];
        if (rank == parent) return {true, children};
        for (auto const child : children)
            if (rank == child) return {false, {parent}};
    }
    return {false, {}};
}

} // namespace osu
