// SPDX-License-Identifier: BSL-1.0
#include "measure_refusal.hpp"

#include "measure_tasks.hpp"

#include <algorithm>
#include <string>

namespace tools::model {

namespace {

/// "here: 3 on 1 node", "here: 2, 1 on 2 nodes".
std::string text_of(std::vector<int> const& ranks_per_node) {
    std::string text;
    for (auto const n : ranks_per_node) text += (text.empty() ? "" : ", ") + std::to_string(n);
    return "here: " + text + " on " + std::to_string(ranks_per_node.size()) +
           (ranks_per_node.size() == 1 ? " node" : " nodes");
}

std::string text_of_mb(double bytes) { return std::to_string(static_cast<long long>(1e-6 * bytes)) + " MB"; }

} // namespace

void require_pairs(measure_request const& asked, places const& where, std::vector<int> const& ranks_per_node) {
    auto const least = least_pairs(asked.model);
    if (where.pairs.size() >= least) return;
    throw refusal{"takes " + std::to_string(2 * least) +
                  " ranks, all on one node, or half of them on rank 0's and half on another; " +
                  text_of(ranks_per_node)};
}

void require_memory(measure_request const& asked, std::vector<int> const& ranks_per_node, double there) {
    auto const ranks = *std::max_element(ranks_per_node.begin(), ranks_per_node.end());
    auto const needed = 2.0 * static_cast<double>(asked.sizes.back()) * ranks;
    if (needed <= there) return;
    throw refusal{"--sizes: messages of " + std::to_string(ranks) + " ranks of a node need " + text_of_mb(needed) +
                  ", it has " + text_of_mb(there)};
}

} // namespace tools::model
