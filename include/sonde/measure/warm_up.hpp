// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/group.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/sampling.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/pattern_ref.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sonde::inline v0_1::detail {

/// Warm-up in blocks of 1, 2, 4 .. iterations (the method of UCX's perftest) until the times are stable.
class stable_warmup {
public:
    /// Number of iterations in the next block.
    std::size_t block() const { return block_; }
    /// True if the warm-up ends with this block. `counts`: the times of this rank count. `elapsed`: on this rank since
    /// the warm-up began; rank 0's counts. Collective over the group; one reduction.
    bool ends_with(group_ref const& group, std::span<seconds const> times, bool counts, seconds elapsed,
                   until_stable const& condition);

private:
    static constexpr std::size_t min_block = 16, max_block = 8192;

    std::size_t block_ = 1;
    double previous_ = no_value; // median of the previous block
};

/// Search for the smallest batch for which the clock's error is small (`min_sample_time`), for the slowest rank's time
/// and the worst rank's clock. Each size is timed a few times, and the fastest batch counts.
class batch_search {
public:
    static constexpr std::size_t repetitions = 3;

    /// The size to time next.
    std::size_t batch() const { return batch_; }
    /// Add one of the repetitions.
    void add(seconds time) {
        if (added_++ == 0 || is_shorter(time, best_)) best_ = time;
    }
    /// The batch that suffices, or 0 if a larger one must be timed. Call it after the repetitions; collective over the
    /// group; one reduction.
    std::size_t found(group_ref const& group, bool counts, clock_properties const& clock);
    /// How long a sample must last for the worst rank's clock, plus the margin. 0 if any sample is long enough, and
    /// without initiators.
    seconds least_sample() const { return least_sample_; }

    static constexpr std::size_t max_batch = std::size_t{1} << 20;
    static constexpr double margin = 1.25; // since times vary

private:
    std::size_t batch_ = 1;
    std::size_t added_ = 0; // repetitions of this size
    seconds best_{};
    seconds least_sample_{};
};

/// The batch that the samples so far show to be right, for the quickest alternative; `batch`, the present one, unless
/// they contradict it. It is too short if the median sample is shorter than the clock needs. It is too long if nine in
/// ten samples last more than twice as long as they must: disturbances make samples longer, but not nearly all of them.
std::size_t batch_by_samples(std::span<measurement const> all, std::size_t batch);

/// True if the warm-up ended before a cold start did: the first two samples of a measurement, so not a single one that
/// was preempted, took more than twice the median of the later half.
bool any_begins_cold(std::span<measurement const> all);

/// Run a fixed number of iterations, of which only the first is timed.
template <class Plan>
std::optional<seconds> warm_up_by_count(Group auto& group, Plan& plan,
                                        pattern_ref<decltype(Plan::clock)> const& pattern) {
    std::optional<seconds> first;
    for (std::size_t i = 0; i != plan.warmup_iterations; ++i) {
        detail::expect(group, 1);
        detail::synchronize(group, plan, i);
        if (i == 0) {
            first = detail::time_batch(plan.clock, pattern, 1);
        } else {
            pattern();
            pattern.complete();
        }
    }
    return first;
}

/// Run blocks of iterations until the plan's stability condition holds.
template <class Plan>
seconds warm_up_until_stable(Group auto& group, Plan& plan, pattern_ref<decltype(Plan::clock)> const& pattern) {
    auto const begin = plan.clock.now();
    seconds first{};
    std::vector<seconds> times;
    stable_warmup warmup;
    for (std::size_t done = 0;; done += times.size()) {
        auto const n = warmup.block();
        times.clear();
        times.reserve(n);
        detail::expect(group, n);
        for (std::size_t i = 0; i != n; ++i) {
            detail::synchronize(group, plan, done + i);
            times.emplace_back(detail::time_batch(plan.clock, pattern, 1));
        }
        if (done == 0) first = times.front();
        detail::wait_in(group, call_phase::combination);
        auto const counts = pattern.role() == role::initiator;
        if (warmup.ends_with(group_ref{group}, as_span(times), counts, plan.clock.now() - begin, plan.stability))
            return first;
    }
}

/// Enlarge the plan's batch to the smallest that is long enough for the clock. Collective over the group.
template <class Plan>
void find_batch(Group auto& group, Plan& plan, pattern_ref<decltype(Plan::clock)> const& pattern, measurement& one) {
    batch_search search;
    std::size_t found = 0;
    while (found == 0) {
        detail::expect(group, search.repetitions * search.batch());
        for (std::size_t k = 0; k != search.repetitions; ++k) {
            detail::synchronize(group, plan, k);
            seconds const time = detail::time_batch(plan.clock, pattern, search.batch());
            if (!one.first) one.first = time; // of one iteration: without a warm-up, the first one
            search.add(time);
        }
        detail::wait_in(group, call_phase::combination);
        found = search.found(group_ref{group}, pattern.role() == role::initiator, one.found.clock_properties);
    }
    one.least_sample = search.least_sample();
    if (found > plan.batch_iterations) plan.batch_iterations = found;
}

/// Warm up, with the synchronization of the samples, and enlarge a batch by the timer as the pattern needs. Collective
/// over the group.
template <class Plan>
void warm_up(Group auto& group, Plan& plan, pattern_ref<decltype(Plan::clock)> const& pattern, measurement& one) {
    one.mine.role = pattern.role();
    one.first = plan.warmup_until_stable ? detail::warm_up_until_stable(group, plan, pattern)
                                         : detail::warm_up_by_count(group, plan, pattern);
    if (plan.batch_by_timer) detail::find_batch(group, plan, pattern, one);
}

} // namespace sonde::detail

#if SONDE_DEFINITIONS

namespace sonde::inline v0_1::detail {

SONDE_INLINE bool stable_warmup::ends_with(group_ref const& group, std::span<seconds const> times, bool counts,
                                           seconds elapsed, until_stable const& condition) {
    auto const time_is_up = group.rank() == 0 && !(elapsed < condition.max_time);
    std::array<double, 2> maxima{counts ? median(times).count() : no_value, time_is_up ? 1.0 : 0.0};
    group.all_reduce(maxima, reduction::max);
    auto const [latest, ends] = maxima;
    auto const change = latest < previous_ ? previous_ - latest : latest - previous_;
    auto const initiators = latest != no_value;
    auto const stable = !initiators || change <= condition.tolerance * previous_;
    if (ends != 0 || block_ == max_block || (block_ >= min_block && stable)) return true;
    previous_ = latest;
    block_ *= 2;
    return false;
}

SONDE_INLINE std::size_t batch_search::found(group_ref const& group, bool counts, clock_properties const& clock) {
    std::array<double, 2> maxima{counts ? best_.count() : no_value, margin * min_sample_time(clock).count()};
    group.all_reduce(maxima, reduction::max);
    auto const [elapsed, needed] = maxima;
    if (!(needed > 0)) return 1; // a clock without cost, by its own properties
    if (elapsed < 0) return 1;   // no initiators, or a clock that goes back
    least_sample_ = seconds{needed};
    if (batch_ == max_batch) return max_batch;
    if (!(elapsed < needed)) return rounded_up(needed / elapsed * static_cast<double>(batch_));
    batch_ *= 2;
    added_ = 0;
    return 0;
}

SONDE_INLINE std::size_t batch_by_samples(std::span<measurement const> all, std::size_t batch) {
    auto const least = all.front().least_sample;
    auto const n = static_cast<double>(batch);
    seconds typical = seconds::max(), quick = seconds::max();
    for (auto const& one : all) {
        auto const series = as_span(one.found.series);
        auto const middle = median(series), tenth = quantile(series, 0.1);
        if (middle < typical) typical = middle;
        if (tenth < quick) quick = tenth;
    }
    if (n * typical < least / batch_search::margin) {
        auto const needed = typical > seconds{} ? least / typical : 2 * n;
        return needed < static_cast<double>(batch_search::max_batch) ? rounded_up(needed) : batch_search::max_batch;
    }
    if (batch != 1 && least > seconds{} && n * quick > 2 * least) return rounded_up(least / quick);
    return batch;
}

SONDE_INLINE bool any_begins_cold(std::span<measurement const> all) {
    constexpr std::size_t most = 64; // later, a cold start has ended
    for (auto const& one : all) {
        auto const& series = one.found.series;
        auto const n = series.size() < most ? series.size() : most;
        auto const later = 2 * median(as_span(series).subspan(n / 2, n - n / 2));
        if (series[0] > later && series[1] > later) return true;
    }
    return false;
}

} // namespace sonde::detail

#endif
