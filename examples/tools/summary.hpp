// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "rows.hpp"

#include <sonde/stats/order_statistics.hpp>

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

namespace tools {

/// Launches of one side in figures, nested: samples scatter within a launch, launches among each other.
struct summary {
    std::size_t launches = 0;
    sonde::seconds median{};                             // over launches, of each launch's median
    std::optional<sonde::confidence_interval> confident; // 95 % over launches; of a single launch, within it
    double within = 0;             // s_w over the median: root of the mean square of the launches' spreads
    std::optional<double> between; // s_b over the median: standard deviation of the launches' medians
};

/// Root of the sum of squares of x - from, over `degrees` of freedom.
inline double root_mean_square(std::span<sonde::seconds const> x, sonde::seconds from, std::size_t degrees) {
    double sum = 0;
    for (auto const t : x) sum += (t - from).count() * (t - from).count();
    return std::sqrt(sum / static_cast<double>(degrees));
}

inline std::optional<double> standard_deviation(std::span<sonde::seconds const> x) {
    if (x.size() < 2) return std::nullopt;
    sonde::seconds sum{};
    for (auto const t : x) sum += t;
    return root_mean_square(x, sum / static_cast<double>(x.size()), x.size() - 1);
}

/// Needs at least one launch.
inline summary summarize(observed const& side) {
    std::span<sonde::seconds const> const medians{side.medians};
    summary s{medians.size(), sonde::median(medians), {}, 0, {}};
    s.confident = medians.size() == 1 ? side.within : sonde::median_interval(medians);
    if (s.median <= sonde::seconds{}) return s; // relative to nothing
    s.within = root_mean_square(side.spreads, {}, side.spreads.size()) / s.median.count();
    if (auto const between = standard_deviation(medians)) s.between = *between / s.median.count();
    return s;
}

} // namespace tools
