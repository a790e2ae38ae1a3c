// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/record.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace sonde::detail {

inline constexpr double never = -std::numeric_limits<double>::infinity();

/// Append to `series` the mean over ranks that count for each sample of the block. Collective over the group.
template <Group G>
void append_means(G& group, std::span<seconds const> block, bool counts, std::vector<seconds>& series) {
    std::vector<double> sums(block.size() + 1);
    if (counts) {
        for (std::size_t i = 0; i != block.size(); ++i) sums[i] = block[i].count();
        sums.back() = 1;
    }
    group.all_reduce(sums, reduction::sum);
    for (std::size_t i = 0; i != block.size(); ++i) series.emplace_back(sums.back() == 0 ? 0 : sums[i] / sums.back());
}

/// For each value: whether it differs between ranks; the same answer on all of them. One reduction; collective over the
/// group.
template <Group G, std::size_t N>
std::array<bool, N> differences(G& group, std::array<double, N> const& mine) {
    std::array<double, 2 * N> range{};
    for (std::size_t i = 0; i != N; ++i) {
        range[2 * i] = mine[i];
        range[2 * i + 1] = -mine[i];
    }
    group.all_reduce(range, reduction::max);
    std::array<bool, N> differ{};
    for (std::size_t i = 0; i != N; ++i) differ[i] = range[2 * i] != -range[2 * i + 1];
    return differ;
}

/// Every rank's value, by rank. Collective over the group.
template <Group G>
std::vector<seconds> gather(G& group, seconds mine) {
    std::vector<double> values(static_cast<std::size_t>(group.size()));
    values[static_cast<std::size_t>(group.rank())] = mine.count();
    group.all_reduce(values, reduction::sum);
    std::vector<seconds> all;
    for (auto const v : values) all.emplace_back(v);
    return all;
}

/// What one rank brings to the record.
struct share_of_rank {
    bool counts;
    traffic moved;
    seconds mean;
    seconds first;
    timer clock;
    std::size_t slowest; // samples in which nobody was slower
};

/// A sum of shares of whole numbers, exact below 2^53.
inline std::size_t nearest_whole(double sum) { return static_cast<std::size_t>(sum + 0.5); }

/// Put what all ranks bring into the record. Collective over the group.
template <Group G>
void combine(G& group, share_of_rank const& mine, record& into) {
    double const one = mine.counts ? 1 : 0;
    auto const share_of = [&](std::size_t n) {
        return mine.counts ? static_cast<double>(n) / static_cast<double>(mine.moved.shared_by) : 0;
    };
    std::vector<double> sums{one, share_of(mine.moved.bytes), share_of(mine.moved.messages), one * mine.mean.count()};
    auto const ranks = static_cast<std::size_t>(group.size()), before = sums.size();
    sums.resize(before + ranks);
    sums[before + static_cast<std::size_t>(group.rank())] = static_cast<double>(mine.slowest);
    auto const unless_idle = [&](double v) { return mine.counts ? v : never; };
    std::array<double, 8> extremes{unless_idle(mine.mean.count()),  unless_idle(-mine.mean.count()),
                                   unless_idle(mine.first.count()), unless_idle(mine.moved.legs),
                                   mine.clock.cost.count(),         mine.clock.quantum.count(),
                                   mine.clock.bias.count(),         unless_idle(mine.moved.bus)};
    group.all_reduce(sums, reduction::sum);
    group.all_reduce(extremes, reduction::max);

    into.ranks = group.size();
    for (std::size_t r = 0; r != ranks; ++r) into.slowest.push_back(static_cast<std::size_t>(sums[before + r]));
    into.timer = {seconds{extremes[4]}, seconds{extremes[5]}, seconds{extremes[6]}};
    if (sums[0] == 0) return;
    into.initiators = static_cast<int>(sums[0]);
    into.total = {nearest_whole(sums[1]), nearest_whole(sums[2]), extremes[3], extremes[7]};
    into.over_ranks = {seconds{-extremes[1]}, seconds{sums[3] / sums[0]}, seconds{extremes[0]}};
    into.first = seconds{extremes[2]};
}

} // namespace sonde::detail
