// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/histogram.hpp>
#include <sonde/metrics.hpp>
#include <sonde/record.hpp>
#include <sonde/statistics.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <optional>
#include <ratio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sonde {

/// What `collect` found of a region, equal on every rank. Metrics are functions of it.
struct region_record {
    std::string name;
    std::optional<std::size_t> outer;    // the region that this one is within, by its number in the list
    std::size_t depth = 0;               // how many it is within
    int ranks = 0;                       // that passed it
    double bytes = 0;                    // moved by all passes of all ranks
    basic_histogram<4, std::nano> times; // of all passes of all ranks
    spread totals;                       // over the ranks that passed it, of the time each spent in it
    int slowest = 0;                     // the rank that spent the most, the first of them
    std::optional<record> best;          // of `measure_best`, where a rank named a pattern
};

/// The list's first region of this name. Throws std::out_of_range where there is none.
[[nodiscard]] inline region_record const& named(std::vector<region_record> const& found, std::string_view name) {
    for (auto const& r : found)
        if (r.name == name) return r;
    throw std::out_of_range{"sonde::named: no rank has a region " + std::string{name}};
}
void named(std::vector<region_record> const&&, std::string_view) = delete; // the list would be gone

/// The median of the passes of all ranks, exact to 2^-5 of itself; none where nobody passed.
[[nodiscard]] inline std::optional<seconds> typical(region_record const& r) {
    return r.times.count() == 0 ? std::nullopt : std::optional{r.times.quantile(0.5)};
}

/// Quantile of the passes of all ranks; none when there are too few to bound it from above with 95 % confidence.
[[nodiscard]] inline std::optional<seconds> tail(region_record const& r, double q) {
    return supports(r.times.count(), q) ? std::optional{r.times.quantile(q)} : std::nullopt;
}

/// The time of the rank that spent the most over the mean of the ranks that passed: 1 where all spent the same.
[[nodiscard]] inline std::optional<double> imbalance(region_record const& r) {
    return r.totals.mean == seconds{} ? std::nullopt : std::optional{r.totals.max / r.totals.mean};
}

/// Bytes per second of a rank that is in the region: what a pass moves over its median.
[[nodiscard]] inline std::optional<double> rate(region_record const& r) {
    auto const median = typical(r);
    if (r.bytes == 0 || !median || *median == seconds{}) return std::nullopt;
    return r.bytes / static_cast<double>(r.times.count()) / median->count();
}

/// The time of the pattern that the region names over that of the region, medians: 1 where it cannot be better.
[[nodiscard]] inline std::optional<double> efficiency(region_record const& r) {
    auto const median = typical(r);
    if (!r.best || r.best->initiators == 0 || !median || *median == seconds{}) return std::nullopt;
    return typical(*r.best) / *median;
}

} // namespace sonde
