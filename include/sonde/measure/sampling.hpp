// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/pattern_ref.hpp>
#include <sonde/stat/order_statistics.hpp>
#include <sonde/stop.hpp>
#include <sonde/sync.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace sonde::inline v0_1::detail {

/// The samples since the previous evaluation of the stopping rule. Memory is reused from block to block.
struct sample_block {
    /// Quantities per sample that a max reduction combines; without a global clock only `time`.
    enum quantity : std::size_t { time, is_late, negated_begin, begin, negated_end, end, quantities };

    /// Times of a sample by the global clock; `late`: this rank began it too late.
    struct global_sample {
        seconds begin;
        seconds end;
        bool late;
    };

    std::vector<seconds> times;        // this rank's, per iteration
    std::vector<global_sample> global; // this rank's; empty without a global clock
    std::vector<double> maxima;        // over ranks
    std::vector<seconds> slowest;      // the slowest rank's times, of samples in time
    std::vector<seconds> retained;     // this rank's times of samples in the series

    /// Memory is reserved here, so that no sample allocates. This is a template, so that it is compiled only where it
    /// is called.
    void reset(std::size_t count, std::same_as<bool> auto global_clock) {
        for (auto* const v : {&times, &slowest, &retained}) v->clear();
        global.clear();
        times.reserve(count);
        slowest.reserve(count);
        global.reserve(global_clock ? count : 0);
    }
    double& max(quantity q, std::size_t sample) { return maxima[q * times.size() + sample]; }
};

/// This rank's samples: their sums, and the times that are in the series.
struct rank_samples {
    sonde::role role{};
    std::size_t counted = 0;      // samples, without the late ones
    seconds sum{};                // of the times per iteration
    std::size_t slowest = 0;      // number of samples in which this rank was the slowest, ties included
    std::vector<seconds> times{}; // per iteration, of the samples in the series
    bool clock_fault = false;

    void add(seconds t, bool is_slowest) {
        ++counted;
        sum += t;
        slowest += is_slowest;
        clock_fault |= t < seconds{};
    }
    bool counts() const { return role == role::initiator; }
    seconds mean() const { return sum / static_cast<double>(counted); }
};

/// A pattern while it is measured: the record, and the contribution of this rank.
struct measurement {
    record found{};
    rank_samples mine{};
    sample_block block{};
    std::optional<seconds> first{}; // iteration of all, on this rank; empty if it was not timed by itself
    seconds least_sample{};         // of a batch by the timer: how long a sample must last; 0 of another batch
    std::optional<seconds> quick{}; // iteration of a batch by the timer when it was found, on the slowest rank

    /// Discard all samples, which then count as warm-up.
    void discard_samples() {
        mine = {.role = mine.role, .clock_fault = mine.clock_fault};
        found.series.clear();
        found.overflow.clear();
        found.sample_means.clear();
    }
};

/// A pattern that keeps the first exception of this rank and goes on, for plans that agree on errors.
template <Pattern P>
class guarded_pattern : public pattern_adaptor<guarded_pattern<P>, P&> {
public:
    guarded_pattern(P& pattern, std::exception_ptr& failure)
        : guarded_pattern::pattern_adaptor{pattern}, failure_{&failure} {}
    void in_role(auto f) {
        guard([&] { sonde::in_role(this->pattern_, [&](auto&& inner) { f([&] { guard([&] { inner(); }); }); }); });
    }
    void iterate(auto& inner) {
        guard([&] { inner(); });
    }
    void complete() {
        guard([&] { sonde::complete(this->pattern_); });
    }
    void after_warmup() {
        guard([&] { sonde::after_warmup(this->pattern_); });
    }
    void before_sample() {
        guard([&] { sonde::before_sample(this->pattern_); });
    }
    void after_sample(auto const& begin, auto const& end) {
        guard([&] { sonde::after_sample(this->pattern_, begin, end); });
    }

private:
    void guard(auto f) { detail::attempt(*failure_, f); }

    std::exception_ptr* failure_;
};

/// Call f with a reference to the pattern, or to the guarded pattern if the plan agrees on errors.
template <class Plan, class P>
decltype(auto) with_guard(Plan const&, P& pattern, std::exception_ptr& failure, auto f) {
    if constexpr (is_pattern_ref<std::remove_const_t<P>>) {
        constexpr bool agrees = Plan::agrees_on_errors;
        constexpr bool same_clock = std::same_as<std::remove_const_t<P>, pattern_ref<decltype(Plan::clock)>>;
        static_assert(!agrees, "a plan that agrees on errors needs the pattern itself, not a sonde::pattern_ref");
        static_assert(same_clock, "the sonde::pattern_ref must be of the plan's clock");
    }
    if constexpr (Plan::agrees_on_errors) {
        guarded_pattern guarded{pattern, failure};
        return f(pattern_ref<decltype(Plan::clock)>{guarded});
    } else {
        return f(pattern_ref<decltype(Plan::clock)>{pattern});
    }
}

/// Throws on all ranks if a pattern threw on a rank, if the plan agrees on errors. Collective over the group; one
/// reduction.
template <class Plan>
void agree_on_errors(group_ref const& group, Plan const&, std::exception_ptr const& failure) {
    if constexpr (Plan::agrees_on_errors) detail::throw_on_all(group, failure);
}

/// Add a sample to a block, by the readings at its begin and its end.
template <class Plan>
void add_sample(Plan& plan, auto const& begin, auto const& end, sample_block& into) {
    into.times.push_back(static_cast<seconds>(end - begin) / static_cast<double>(plan.batch_iterations));
    [[maybe_unused]] auto* const global = detail::global_clock_of(plan.synchronize);
    if constexpr (requires { plan.synchronize.global_clock(); } && has_epoch<decltype(begin)>) {
        if (global == nullptr) return;
        into.global.push_back({global->to_global(sonde::since_epoch(begin)), global->to_global(sonde::since_epoch(end)),
                               !global->on_time()});
    }
}

/// Synchronize the ranks before iteration or sample i.
void synchronize(Group auto& group, auto& plan, std::size_t i) {
    detail::wait_in(group, call_phase::synchronization);
    plan.synchronize(group, i);
    detail::wait_in(group, call_phase::iterations);
}

/// Take sample i.
template <class Plan>
void take_sample(Group auto& group, Plan& plan, pattern_ref<decltype(Plan::clock)> const& pattern, std::size_t i,
                 sample_block& into) {
    sonde::before_sample(pattern);
    detail::synchronize(group, plan, i);
    auto const sample = detail::time_batch(plan.clock, pattern, plan.batch_iterations);
    sonde::after_sample(pattern, sample.begin, sample.end);
    detail::add_sample(plan, sample.begin, sample.end, into);
}

/// Add a block to its record and to this rank's sums, and set `block.slowest`. Collective over the group.
void add_block(group_ref const& group, keep_options keep, measurement& one);

} // namespace sonde::detail

#if SONDE_DEFINITIONS

namespace sonde::inline v0_1::detail {

/// Find the slowest rank's times of a block and, with a global clock, the extremes of begins and ends. Idle ranks
/// contribute nothing, and responders do not contribute times. Collective over the group.
SONDE_INLINE void reduce_block(group_ref const& group, sample_block& block, role mine) {
    auto const n = block.times.size();
    block.maxima.assign(n * (block.global.empty() ? 1 : std::size_t{block.quantities}), no_value);
    for (std::size_t i = 0; i != n && mine != role::idle; ++i) {
        if (mine == role::initiator) block.max(block.time, i) = block.times[i].count();
        if (block.global.empty()) continue;
        auto const& [begin, end, late] = block.global[i];
        block.max(block.is_late, i) = late ? 1 : 0;
        block.max(block.negated_begin, i) = -begin.count();
        block.max(block.begin, i) = begin.count();
        block.max(block.negated_end, i) = -end.count();
        block.max(block.end, i) = end.count();
    }
    group.all_reduce(std::span<double>{block.maxima.data(), block.maxima.size()}, reduction::max);
}

/// Append the global times of sample i, unless all ranks are idle.
SONDE_INLINE void append_global(sample_block& block, std::size_t i, std::size_t batch, global_times& into) {
    auto const first_begin = -block.max(block.negated_begin, i), last_begin = block.max(block.begin, i);
    auto const first_end = -block.max(block.negated_end, i), last_end = block.max(block.end, i);
    if (last_begin == no_value) return;
    into.series.emplace_back((last_end - first_begin) / static_cast<double>(batch));
    into.entry_skews.emplace_back(last_begin - first_begin);
    into.exit_skews.emplace_back(last_end - first_end);
}

/// Append the mean over initiators of each time to `means`; 0 without initiators. Collective over the group.
SONDE_INLINE void append_means(group_ref const& group, std::span<seconds const> times, bool counts,
                               std::vector<seconds>& means) {
    std::vector<double> sums;
    for (auto const t : times) sums.push_back(counts ? t.count() : 0);
    sums.push_back(counts ? 1 : 0);
    group.all_reduce(sums, reduction::sum);
    for (std::size_t i = 0; i != times.size(); ++i) means.emplace_back(sums.back() == 0 ? 0 : sums[i] / sums.back());
}

SONDE_INLINE void add_block(group_ref const& group, keep_options keep, measurement& one) {
    auto& into = one.found;
    auto& mine = one.mine;
    auto& block = one.block;
    detail::reduce_block(group, block, mine.role);
    if (!one.first && into.batch == 1 && !block.times.empty()) one.first = block.times.front();
    for (std::size_t i = 0; i != block.times.size(); ++i) {
        if (into.global && block.max(block.is_late, i) == 1) {
            ++into.global->late_samples;
            continue;
        }
        auto const max = block.max(block.time, i);
        auto const slowest = seconds{max == no_value ? 0 : max};
        block.slowest.push_back(slowest);
        auto const is_slowest = mine.counts() && !(block.times[i] < slowest);
        mine.add(block.times[i], is_slowest);
        if (into.series.size() == keep.max_samples()) {
            if (into.overflow.empty()) into.overflow.emplace_back();
            into.overflow.front().add(slowest);
            continue;
        }
        into.series.push_back(slowest);
        mine.times.push_back(block.times[i]);
        if (keep.sample_means) block.retained.push_back(block.times[i]);
        if (into.global) append_global(block, i, into.batch, *into.global);
    }
    if (keep.sample_means) detail::append_means(group, as_span(block.retained), mine.counts(), into.sample_means);
}

} // namespace sonde::detail

#endif
