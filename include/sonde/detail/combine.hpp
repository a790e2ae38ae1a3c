// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/sampling.hpp>
#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/record.hpp>
#include <sonde/stats/order_statistics.hpp>
#include <sonde/sync.hpp>
#include <sonde/time.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace sonde::detail {

/// Compare the clocks of the ranks, with a global clock. Collective over the group.
template <Group G, class Plan>
void synchronize_clocks(G& group, Plan& plan) {
    if (auto* const clock = detail::global_clock_of(plan.synchronize); clock != nullptr) clock->synchronize(group);
}

/// Deviation of the global clock; 0 without one. Collective over the group.
template <Group G, class Plan>
seconds clock_deviation_of(G& group, Plan& plan) {
    auto* const clock = detail::global_clock_of(plan.synchronize);
    return clock == nullptr ? seconds{} : clock->measure_deviation(group);
}

inline flags flags_of(record const& r) {
    if (r.initiators == 0) return {};
    double sum = 0;
    for (auto const t : r.series) sum += t.count();
    auto const batch = static_cast<double>(r.batch);
    auto const sample_mean = seconds{batch * (sum / static_cast<double>(r.series.size()))};
    flags found{.timer_limited = sample_mean < min_sample_time(r.clock_properties)};
    if (!r.global || r.global->series.empty()) return found;
    found.skew_dominated = 10 * median(as_span(r.global->entry_skews)) > batch * median(as_span(r.global->series));
    auto const excess = r.global->deviation - r.global->error_bound;
    found.clock_drift = excess > seconds{1e-6} || excess > 0.05 * batch * median(as_span(r.series));
    return found;
}

/// Nearest integer of a sum of fractions of integers, exact below 2^53.
inline std::size_t rounded(double sum) { return static_cast<std::size_t>(sum + 0.5); }

/// Combine what all ranks contribute into the record: two reductions. `first` is this rank's first iteration.
/// Collective over the group.
template <Group G>
void combine(G& group, traffic const& moved, rank_samples const& mine, seconds first, record& into) {
    auto const counts = mine.counts();
    auto const share_of = [&](std::size_t n) {
        return counts ? static_cast<double>(n) / static_cast<double>(moved.shared_by) : 0;
    };
    auto const ranks = static_cast<std::size_t>(group.size()), rank = static_cast<std::size_t>(group.rank());
    auto const& clock = into.clock_properties;
    std::vector<double> sums{counts ? 1.0 : 0.0, share_of(moved.bytes), share_of(moved.messages),
                             counts ? mine.mean().count() : 0.0};
    auto const rank_sums = sums.size();
    sums.resize(rank_sums + ranks);
    sums[rank_sums + rank] = static_cast<double>(mine.slowest);
    auto const if_counts = [&](double v) { return counts ? v : no_value; };
    std::array<double, 8> maxima{if_counts(mine.mean().count()), if_counts(-mine.mean().count()),
                                 if_counts(first.count()),       if_counts(moved.hops),
                                 if_counts(moved.bus_factor),    clock.cost.count(),
                                 clock.resolution.count(),       clock.bias.count()};
    group.all_reduce(sums, reduction::sum);
    group.all_reduce(maxima, reduction::max);

    into.ranks = group.size();
    for (std::size_t r = 0; r != ranks; ++r)
        into.slowest_counts.push_back(static_cast<std::size_t>(sums[rank_sums + r]));
    into.clock_properties = {seconds{maxima[5]}, seconds{maxima[6]}, seconds{maxima[7]}};
    if (sums[0] == 0) return;
    into.initiators = static_cast<int>(sums[0]);
    into.total = {rounded(sums[1]), rounded(sums[2]), maxima[3], maxima[4]};
    into.over_ranks = {seconds{-maxima[1]}, seconds{sums[3] / sums[0]}, seconds{maxima[0]}};
    into.first = seconds{maxima[2]};
}

/// Complete the record: traffic, times over ranks, global clock, flags. Collective over the group.
template <Group G, class Plan>
void finish(G& group, Plan& plan, traffic const& moved, rank_samples const& mine, seconds first, seconds deviation,
            record& into) {
    detail::describe(plan.synchronize, into.point);
    auto const warmed_up = plan.warmup_until_stable || plan.warmup_iterations != 0;
    detail::combine(group, moved, mine, warmed_up ? first : mine.first, into);
    if (plan.retention.rank_means)
        for (auto const mean : sonde::all_gather(group, mine.mean().count())) into.rank_means.emplace_back(mean);
    if (into.global) {
        into.global->deviation = deviation;
        into.global->error_bound = detail::global_clock_of(plan.synchronize)->error_bound();
    }
    into.flags = flags_of(into);
}

} // namespace sonde::detail
