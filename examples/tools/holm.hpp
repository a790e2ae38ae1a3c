// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace tools {

/// Each p as it is to be judged when so many are looked at: with all that come out at most alpha called different, one
/// of them wrongly has at most the probability alpha (Holm, Scand. J. Statist. 6, 1979).
///
/// The smallest times their number R, the next times R - 1 ..., none below the one before it, none above 1.
inline std::vector<double> holm(std::vector<double> const& p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return p[a] < p[b]; });
    std::vector<double> adjusted(p.size());
    double before = 0;
    for (std::size_t i = 0; i != order.size(); ++i)
        adjusted[order[i]] = before = std::min(1.0, std::max(before, static_cast<double>(p.size() - i) * p[order[i]]));
    return adjusted;
}

} // namespace tools
