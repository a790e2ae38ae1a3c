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
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// Samples that the caller of a `stepwise_run` takes next.
struct measurement_step {
    std::size_t samples; // to take before the next step; 0: the run is complete
    std::size_t batch;   // iterations per sample
};

namespace detail {

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
    /// Time of an iteration in the last batch, on the slowest rank; empty without initiators.
    std::optional<seconds> iteration() const { return iteration_; }

    static constexpr std::size_t max_batch = std::size_t{1} << 20;
    static constexpr double margin = 1.25; // since times vary

private:
    std::size_t batch_ = 1;
    std::size_t added_ = 0; // repetitions of this size
    seconds best_{};
    seconds least_sample_{};
    std::optional<seconds> iteration_;
};

/// The batch that the samples so far show to be right, for the quickest alternative; `batch`, the present one, unless
/// they contradict it. It is too short if the median sample is shorter than the clock needs. It is too long if nine in
/// ten samples last more than twice as long as they must: disturbances make samples longer, but not nearly all of them.
std::size_t batch_by_samples(std::span<measurement const> all, std::size_t batch);

/// True if the warm-up ended before a cold start did: the first two samples of a measurement, so not a single one that
/// was preempted, took more than twice the median of the later half.
bool any_begins_cold(std::span<measurement const> all);

/// The warm-up of a measurement, and the search for its batch, in steps whose samples the caller takes. The plan and
/// the measurement, which has the role of this rank, must outlive it.
template <class Plan>
class warm_up_steps {
public:
    warm_up_steps(group_ref group, Plan& plan, measurement& one) : group_{group}, plan_{&plan}, one_{&one} {}

    /// What to take next, by the times of the last step; without samples when the plan has its batch. Collective over
    /// the group; a reduction after each block of a warm-up until stable, and after each batch of the search.
    measurement_step next() {
        if (phase_ == phase::begin) {
            phase_ = phase::warm_up;
            if (plan_->warmup_until_stable) begin_.emplace(plan_->clock.now());
            if (auto const n = begin_ ? blocks_.block() : plan_->warmup_iterations; n != 0) return step(n, 1);
        } else if (phase_ == phase::warm_up && begin_) {
            done_ += times_.size();
            if (!is_stable()) return step(blocks_.block(), 1);
        } else if (phase_ == phase::batch && found_batch()) {
            return {0, plan_->batch_iterations};
        }
        phase_ = phase::batch;
        done_ = 0;
        return step(plan_->batch_by_timer ? search_.repetitions : 0, search_.batch());
    }
    /// Number of iterations before this step, by which the synchronizer counts.
    std::size_t done() const { return done_; }
    /// False if the time of the next sample has no use.
    bool takes_time() const { return !one_->first || begin_ || phase_ == phase::batch; }
    /// Add the time of a sample. The very first one is of a single iteration.
    void add(seconds time) {
        if (!one_->first) one_->first = time;
        times_.push_back(time);
    }

private:
    enum class phase : unsigned char { begin, warm_up, batch };

    measurement_step step(std::size_t samples, std::size_t batch) {
        times_.clear();
        if (begin_ || phase_ == phase::batch) times_.reserve(samples);
        return {samples, batch};
    }
    bool is_stable() {
        detail::wait_in(group_, call_phase::combination);
        return blocks_.ends_with(group_, as_span(times_), one_->mine.counts(), plan_->clock.now() - *begin_,
                                 plan_->stability);
    }
    /// Enlarges the plan's batch to the smallest that is long enough for the clock; false if a larger one must be
    /// timed.
    bool found_batch() {
        for (auto const t : times_) search_.add(t);
        detail::wait_in(group_, call_phase::combination);
        auto const found = search_.found(group_, one_->mine.counts(), one_->found.clock_properties);
        one_->least_sample = search_.least_sample();
        one_->quick = search_.iteration();
        if (found > plan_->batch_iterations) plan_->batch_iterations = found;
        return found != 0;
    }

    group_ref group_;
    Plan* plan_;
    measurement* one_;
    phase phase_ = phase::begin;
    std::size_t done_ = 0;
    std::vector<seconds> times_;                                                  // of this step
    std::optional<decltype(std::declval<decltype(Plan::clock)&>().now())> begin_; // of a warm-up until stable
    stable_warmup blocks_;
    batch_search search_;
};

/// Warm up, with the synchronization of the samples, and enlarge a batch by the timer as the pattern needs. Collective
/// over the group.
template <class Plan>
void warm_up(Group auto& group, Plan& plan, pattern_ref<decltype(Plan::clock)> const& pattern, measurement& one) {
    one.mine.role = pattern.role();
    warm_up_steps steps{group_ref{group}, plan, one};
    for (auto step = steps.next(); step.samples != 0; step = steps.next())
        for (std::size_t i = 0; i != step.samples; ++i) {
            detail::expect(group, step.batch);
            sonde::before_sample(pattern);
            detail::synchronize(group, plan, steps.done() + i);
            if (steps.takes_time()) {
                steps.add(detail::time_batch(plan.clock, pattern, step.batch));
            } else {
                pattern();
                pattern.complete();
            }
        }
}

} // namespace detail

} // namespace sonde

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
    iteration_ = seconds{elapsed / static_cast<double>(batch_)};
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
