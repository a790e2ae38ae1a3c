// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/combine.hpp>
#include <sonde/detail/equal_plans.hpp>
#include <sonde/detail/samples_taken.hpp>
#include <sonde/detail/sampling.hpp>
#include <sonde/detail/view.hpp>
#include <sonde/detail/warm_up.hpp>
#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/plan.hpp>
#include <sonde/record.hpp>
#include <sonde/statistics.hpp>
#include <sonde/time.hpp>
#include <sonde/time_batch.hpp>
#include <sonde/timer.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace sonde {

namespace detail {

inline seconds mean_of(std::vector<seconds> const& times) {
    double sum = 0;
    for (auto const t : times) sum += t.count();
    return seconds{sum / static_cast<double>(times.size())};
}

inline bool timer_limited(record const& r) {
    return static_cast<double>(r.batch) * mean_of(r.series) < least_sample(r.timer);
}

/// Is a sample too short for the clock, is it more of the ranks' skew than of the operation, was the clock off?
inline flags flags_of(record const& r) {
    if (r.initiators == 0) return {};
    flags found{.timer_limited = timer_limited(r)};
    if (!r.global || r.global->series.empty()) return found;
    auto const k = static_cast<double>(r.batch);
    found.skew_dominated = 10 * median(from(r.global->entry_skews)) > k * median(from(r.global->series));
    auto const off = r.global->drift - r.global->bound;
    found.clock_drift = off > seconds{1e-6} || off > 0.05 * k * median(from(r.series));
    return found;
}

/// Let clocks be compared, where there is a global one. Collective over the group.
template <Group G, class Plan>
void begin_window(G& group, Plan& plan) {
    if (auto* const window = detail::window_of(plan.synchronize); window != nullptr) window->begin(group);
}

/// By how much the global clock is off, where there is one. Collective over the group.
template <Group G, class Plan>
seconds check_clock(G& group, Plan& plan) {
    auto* const window = detail::window_of(plan.synchronize);
    return window == nullptr ? seconds{} : window->check(group);
}

/// Put what all ranks bring into the record. Collective over the group.
template <Group G, class Plan>
void finish(G& group, Plan& plan, traffic const& moved, own_samples const& mine, seconds first, seconds drift,
            record& into) {
    detail::tell(plan.synchronize, into.at);
    auto const counts = mine.who == role::initiator;
    auto const warmed = plan.warms_until_stable || plan.warmup_iterations != 0;
    detail::combine(group, {counts, moved, mine.mean(), warmed ? first : mine.first, into.timer, mine.slowest}, into);
    if (plan.keeps.rank_means) into.rank_means = detail::gather(group, mine.mean());
    if (into.global) {
        into.global->drift = drift;
        into.global->bound = detail::window_of(plan.synchronize)->bound();
    }
    into.flags = flags_of(into);
}

} // namespace detail

/// Measure a pattern as planned. Collective over the group; the record is equal on all ranks.
///
/// warm-up, then (synchronize, `time_batch`) until the rule says stop, then one reduction of what the ranks found.
/// The plan must be equal on all ranks; of a stopping rule that is not uniform, only rank 0's is asked. Throws, on all
/// ranks, std::invalid_argument before the first reading of the clock for a plan that allows no measurement or differs
/// between ranks (the message names the parts), and std::runtime_error where 9 in 10 samples begin too late for their
/// window. An exception of rank 0's rule leaves `run` there, and std::runtime_error on the other ranks. An exception of
/// the pattern leaves `run` on that rank alone: end the job then (`mpi::guarded`), since the others wait for it.
template <Group G, class Plan, Pattern P>
    requires Synchronizer<decltype(Plan::synchronize), G>
[[nodiscard]] record run(G& group, Plan plan, P&& pattern, point at = {}) {
    auto const known_schedule = detail::require_equal(group, plan, detail::is_valid(sonde::moves(pattern)));
    record found;
    found.at = std::move(at);
    found.timer = sonde::timer_of(plan.clock);
    detail::begin_window(group, plan);
    auto const first = detail::warm_up(group, plan, pattern);
    if (plan.batch_by_timer) plan.batch_iterations = detail::batch_for_timer(group, plan, pattern, found.timer);
    sonde::warmed_up(pattern);
    found.batch = plan.batch_iterations;
    if (detail::window_of(plan.synchronize) != nullptr) found.global.emplace();
    auto const mine = detail::sample(group, plan, pattern, found, known_schedule);
    detail::finish(group, plan, sonde::moves(pattern), mine, first, detail::check_clock(group, plan), found);
    return found;
}

} // namespace sonde
