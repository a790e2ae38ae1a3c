// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/waiting/late_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace tools::replay {

namespace {

std::map<int, double> charges_by_rank(std::map<delay_source, double> const& charged) {
    std::map<int, double> found;
    for (auto const& [source, seconds] : charged)
        if (source.rank != unknown_rank) found[source.rank] += seconds;
    return found;
}

auto largest_of(auto const& charges) {
    return std::max_element(charges.begin(), charges.end(), [](auto& a, auto& b) { return a.second < b.second; });
}

/// The delay of a rank that caused the most.
delay_source most_of(std::map<delay_source, double> const& charged, int rank) {
    std::map<delay_source, double> own;
    for (auto const& [source, seconds] : charged)
        if (source.rank == rank) own[source] = seconds;
    return largest_of(own)->first;
}

} // namespace

double binomial_tail(std::size_t n, std::size_t least, double p) {
    if (least == 0 || p >= 1) return 1;
    double sum = 0;
    for (auto k = least; k <= n; ++k) {
        auto const a = static_cast<double>(n), b = static_cast<double>(k);
        auto const ways = std::lgamma(a + 1) - std::lgamma(b + 1) - std::lgamma(a - b + 1);
        sum += std::exp(ways + b * std::log(p) + (a - b) * std::log1p(-p));
    }
    return std::min(sum, 1.0);
}

std::vector<rank_charge> charges_of(std::vector<block_waiting> const& blocks, int ranks) {
    std::map<delay_source, double> all;
    std::map<int, std::size_t> largest;
    for (auto const& block : blocks) {
        for (auto const& [source, seconds] : block.charged) all[source] += seconds;
        auto const charges = charges_by_rank(block.charged);
        if (!charges.empty()) ++largest[largest_of(charges)->first];
    }
    std::vector<rank_charge> found;
    for (auto const& [rank, seconds] : charges_by_rank(all)) {
        auto const n = largest[rank];
        auto const chance = ranks * binomial_tail(blocks.size(), n, 1.0 / ranks);
        found.push_back({rank, seconds, most_of(all, rank), n, std::min(chance, 1.0)});
    }
    std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.seconds > b.seconds; });
    return found;
}

std::optional<rank_charge> late_rank(std::vector<block_waiting> const& blocks, int ranks) {
    double seconds = 0, waiting = 0;
    for (auto const& block : blocks) {
        seconds += block.seconds;
        waiting += block.waiting;
    }
    auto const charges = charges_of(blocks, ranks);
    if (charges.empty() || waiting < smallest_waiting * seconds) return std::nullopt;
    auto const& most = charges.front();
    if (most.seconds < smallest_charge * seconds || most.probability > false_alarms) return std::nullopt;
    return most;
}

} // namespace tools::replay
