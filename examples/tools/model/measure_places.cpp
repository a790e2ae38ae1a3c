// SPDX-License-Identifier: BSL-1.0
#include "measure_places.hpp"

#include <algorithm>

namespace tools::model {

namespace {

/// The ranks of each node.
std::vector<std::vector<int>> by_node(std::vector<int> const& node_of_rank) {
    std::vector<std::vector<int>> nodes;
    for (std::size_t rank = 0; rank != node_of_rank.size(); ++rank) {
        auto const node = static_cast<std::size_t>(node_of_rank[rank]);
        nodes.resize(std::max(nodes.size(), node + 1));
        nodes[node].push_back(static_cast<int>(rank));
    }
    return nodes;
}

std::vector<couple> halves(std::vector<int> const& ranks, std::size_t most) {
    auto const n = std::min(most, ranks.size() / 2);
    std::vector<couple> pairs;
    for (std::size_t i = 0; i != n; ++i) pairs.push_back({ranks[i], ranks[n + i]});
    return pairs;
}

std::vector<couple> between(std::vector<int> const& here, std::vector<int> const& there, std::size_t most) {
    std::vector<couple> pairs;
    for (std::size_t i = 0; i != std::min({most, here.size(), there.size()}); ++i) pairs.push_back({here[i], there[i]});
    return pairs;
}

} // namespace

places pair_off(std::vector<int> const& node_of_rank, std::size_t most) {
    auto const nodes = by_node(node_of_rank);
    if (nodes.size() < 2) return {nodes.empty() ? std::vector<couple>{} : halves(nodes[0], most), false};
    places best{{}, true};
    for (std::size_t other = 1; other != nodes.size(); ++other) {
        auto pairs = between(nodes[0], nodes[other], most);
        if (pairs.size() > best.pairs.size()) best.pairs = std::move(pairs);
    }
    return best;
}

std::string text_of(places const& where) {
    std::string text = "ranks ";
    for (auto const& p : where.pairs)
        text +=
            (&p == &where.pairs.front() ? "" : ", ") + std::to_string(p.initiator) + '-' + std::to_string(p.responder);
    return text + (where.across ? " between two nodes" : " on one node");
}

} // namespace tools::model
