// SPDX-License-Identifier: BSL-1.0
#include "asymmetry_note.hpp"

#include <sonde/metrics.hpp>

namespace osu {

void asymmetry_note::add(sonde::record const& row) {
    ++rows_;
    of_rank_.resize(row.slowest_counts.size());
    for (auto const rank : sonde::stragglers(row)) ++of_rank_[static_cast<std::size_t>(rank)];
}

std::vector<std::string> asymmetry_note::lines(sonde::environment const& where) const {
    std::vector<std::string> all;
    for (std::size_t rank = 0; rank != of_rank_.size(); ++rank) {
        auto const rows = of_rank_[rank];
        if (rows < 3 || 2 * rows < rows_) continue;
        auto const& host = where.hosts.at(static_cast<std::size_t>(where.host_of_rank.at(rank)));
        all.push_back("# Asymmetric: rank " + std::to_string(rank) + " on " + host +
                      " was the slowest more often than chance allows in " + std::to_string(rows) + " of " +
                      std::to_string(rows_) + " rows");
    }
    return all;
}

} // namespace osu
