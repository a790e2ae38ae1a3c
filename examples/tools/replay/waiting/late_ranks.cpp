// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/waiting/late_ranks.hpp"

#include <sonde/stat/order_statistics.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace tools::replay {

namespace {

/// Of each rank: of eight ranks or more two may be late.
int tests_of(int ranks) { return ranks < 8 ? 1 : 2; }

std::map<int, double> charges_by_rank(std::map<delay_source, double> const& charged, delay_kind kind) {
    std::map<int, double> found;
    for (auto const& [source, seconds] : charged)
        if (source.rank >= 0 && source.kind == kind) found[source.rank] += seconds;
    return found;
}

auto largest_of(auto const& charges) {
    return std::max_element(charges.begin(), charges.end(), [](auto& a, auto& b) { return a.second < b.second; });
}

/// The delay of a rank that caused the most.
delay_source most_of(std::map<delay_source, double> const& charged, int rank, delay_kind kind) {
    std::map<delay_source, double> own;
    for (auto const& [source, seconds] : charged)
        if (source.rank == rank && source.kind == kind) own[source] = seconds;
    return largest_of(own)->first;
}

/// The first two ranks of a block.
std::vector<int> first_ranks(block_waiting const& block, delay_kind kind) {
    std::map<int, double> sums;
    for (auto const& pass : block.charged_in_pass)
        for (auto const& [rank, seconds] : charges_by_rank(pass, kind)) sums[rank] += std::sqrt(std::sqrt(seconds));
    std::vector<int> found;
    for (std::size_t n = 0; n != 2 && !sums.empty(); ++n) {
        auto const first = largest_of(sums);
        found.push_back(first->first);
        sums.erase(first);
    }
    return found;
}

} // namespace

bool has_enough_blocks(std::size_t blocks, int ranks) {
    return tests_of(ranks) * ranks * sonde::detail::binomial_tail(blocks, 1.0 / ranks, blocks) <= false_alarms;
}

std::vector<rank_charge> charges_of(std::vector<block_waiting> const& blocks, int ranks, delay_kind kind) {
    std::map<delay_source, double> all;
    std::map<int, std::array<std::size_t, 2>> places; // blocks in which a rank is the first, one of the first two
    for (auto const& block : blocks) {
        for (auto const& [source, seconds] : block.charged) all[source] += seconds;
        auto const first = first_ranks(block, kind);
        if (!first.empty()) ++places[first[0]][0];
        for (auto const rank : first) ++places[rank][1];
    }
    std::vector<rank_charge> found;
    for (auto const& [rank, seconds] : charges_by_rank(all, kind)) {
        rank_charge made{rank, seconds, most_of(all, rank, kind)};
        auto const tests = tests_of(ranks);
        for (int n = 0; n != tests; ++n) {
            auto const share = static_cast<double>(n + 1) / ranks;
            auto const chance =
                tests * ranks *
                sonde::detail::binomial_tail(blocks.size(), share, places[rank][static_cast<std::size_t>(n)]);
            if (n == 0 || chance < made.probability) made.blocks = places[rank][static_cast<std::size_t>(n)];
            made.probability = std::min(made.probability, chance);
        }
        found.push_back(made);
    }
    std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.seconds > b.seconds; });
    return found;
}

std::vector<rank_charge> late_ranks(std::vector<block_waiting> const& blocks, int ranks, delay_kind kind) {
    double seconds = 0, waiting = 0, charged = 0, before = 0;
    for (auto const& block : blocks) {
        seconds += block.seconds;
        waiting += block.waiting;
        for (auto const& [source, part] : block.charged)
            if (source.rank != order_of_collective) (source.rank < 0 ? before : charged) += part;
    }
    std::vector<rank_charge> found;
    if (waiting < smallest_waiting * seconds) return found;
    for (auto const& charge : charges_of(blocks, ranks, kind)) {
        auto const with_before = charge.seconds * (1 + before / charged); // whose causes are those of the passes
        if (with_before >= smallest_charge * seconds && charge.probability <= false_alarms) found.push_back(charge);
    }
    return found;
}

} // namespace tools::replay
