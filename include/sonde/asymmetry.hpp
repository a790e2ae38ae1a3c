// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/correlation.hpp>
#include <sonde/detail/binomial.hpp>
#include <sonde/detail/view.hpp>
#include <sonde/record.hpp>

#include <cstddef>
#include <vector>

namespace sonde {

/// Ranks that are the slowest too often for chance, in ascending order: check before ranks are aggregated
/// (Hoefler and Belli, SC15, rule 10).
///
/// Rank r is one when a_r, the samples in which nobody was slower, reaches the least u with
/// P(B >= u) <= 0.01 / P, B ~ Bin(n / tau, p), p = sum of all a / (n P), P the ranks that count: 1 / P unless readings
/// are equal. An operation with a root, or a tree, has such a rank whatever its host is like: call a host slow only
/// when several patterns say so.
[[nodiscard]] inline std::vector<int> asymmetric_ranks(record const& r) {
    auto const n = static_cast<double>(r.stopped.samples), ranks = static_cast<double>(r.initiators);
    double all = 0;
    for (auto const a : r.slowest) all += static_cast<double>(a);
    auto const p = all / (n * ranks);
    if (r.initiators < 2 || !(p > 0 && p < 1)) return {};
    auto const independent = static_cast<std::size_t>(n / correlation_time(detail::from(r.series)));
    auto const too_often = detail::binomial_ranks(independent, p, 0.01 / ranks).high;
    std::vector<int> found;
    for (std::size_t rank = 0; rank != r.slowest.size(); ++rank)
        if (static_cast<double>(r.slowest[rank]) / n * static_cast<double>(independent) >=
            static_cast<double>(too_often))
            found.push_back(static_cast<int>(rank));
    return found;
}

} // namespace sonde
