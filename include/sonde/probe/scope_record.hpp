// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/probe/pass_ring.hpp>
#include <sonde/stat/histogram.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <cstddef>
#include <optional>
#include <ratio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sonde::inline v0_1 {

/// Result of `collect` for one scope, equal on every rank. Metrics are functions of it.
struct scope_record {
    std::string name;                      // of the scope
    std::optional<std::size_t> parent;     // index in the list of the enclosing scope
    std::size_t depth = 0;                 // number of enclosing scopes
    scope_kind kind = scope_kind::part;    // what the application does in it
    int ranks = 0;                         // number of ranks with at least one pass
    double bytes = 0;                      // moved by all passes of all ranks
    basic_histogram<4, std::nano> times{}; // of all passes of all ranks
    min_mean_max totals{};                 // total time of a rank in the scope, over the ranks with a pass
    int slowest = 0;                       // the first rank with the largest total
    int typical_slowest = 0;               // the first rank with the largest typical total: median pass times passes
    std::optional<double> typical_ratio{}; // that total over the mean of the ranks' typical totals
    seconds enclosing{};                   // total of all ranks in the enclosing scope, or since the probes were made
    std::optional<record> reference{};     // by `measure_references`, if a rank set a reference pattern
};

/// The first scope of this name. Throws std::out_of_range if there is none.
[[nodiscard]] inline scope_record const& find_scope(std::vector<scope_record> const& found, std::string_view name) {
    for (auto const& r : found)
        if (r.name == name) return r;
    throw std::out_of_range{"sonde::find_scope: no rank has a scope " + std::string{name}};
}
void find_scope(std::vector<scope_record> const&&, std::string_view) = delete; // the reference would dangle

/// Median time of the passes of all ranks, with a relative error of at most 2^-5; empty without passes.
[[nodiscard]] inline std::optional<seconds> median(scope_record const& r) {
    return r.times.count() == 0 ? std::nullopt : std::optional{r.times.quantile(0.5)};
}

/// Quantile, 0 < q < 1, of the times of all passes of all ranks; empty if there are too few passes (`enough_samples`).
[[nodiscard]] inline std::optional<seconds> percentile(scope_record const& r, double q) {
    return enough_samples(r.times.count(), q) ? std::optional{r.times.quantile(q)} : std::nullopt;
}

/// Load imbalance: the largest total time of a rank over the mean of the ranks with a pass; 1 if all totals are equal.
[[nodiscard]] inline std::optional<double> imbalance(scope_record const& r) {
    return r.totals.mean == seconds{} ? std::nullopt : std::optional{r.totals.max / r.totals.mean};
}

/// The rank whose passes usually take longest: the rank with the largest typical total, the median pass times the
/// number of passes, if that is above the mean of the ranks by more than 2^-4, the width of the histogram's buckets. A
/// few passes in which a rank lost its core do not count. Empty if there is no such rank, and for an exchange, in which
/// a rank takes longest that waits (`collect_lateness` finds the ranks for which it waits). In a scope of work this
/// rank is slow, or has more work.
[[nodiscard]] inline std::optional<int> slow_rank(scope_record const& r) {
    if (r.kind == scope_kind::exchange) return std::nullopt;
    return r.typical_ratio && *r.typical_ratio > 1 + 1.0 / 16 ? std::optional{r.typical_slowest} : std::nullopt;
}

/// Share of the time in the enclosing scope, both as totals of all ranks; for an outermost scope, share of the time
/// since the probes were made. Above 1 if passes overlap, or are not within a pass of the enclosing scope.
[[nodiscard]] inline std::optional<double> share(scope_record const& r) {
    if (r.ranks == 0 || !(r.enclosing > seconds{})) return std::nullopt;
    return r.times.sum() / r.enclosing;
}

/// Bytes per second of one rank in the scope: mean bytes of a pass over its median time.
[[nodiscard]] inline std::optional<double> bandwidth(scope_record const& r) {
    auto const pass = median(r);
    if (r.bytes == 0 || !pass || *pass == seconds{}) return std::nullopt;
    return r.bytes / static_cast<double>(r.times.count()) / pass->count();
}

/// Median time of the reference pattern over the median time of a pass: 1 if the scope is as fast as its reference.
[[nodiscard]] inline std::optional<double> efficiency(scope_record const& r) {
    auto const pass = median(r);
    if (!r.reference || r.reference->initiators == 0 || !pass || *pass == seconds{}) return std::nullopt;
    return median(*r.reference) / *pass;
}

} // namespace sonde
