// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/error.hpp>
#include <sonde/group.hpp>
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
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
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

/// Sums over this rank's samples.
struct rank_samples {
    sonde::role role{};
    std::size_t counted = 0; // samples, without the late ones
    seconds sum{};           // of the times per iteration
    seconds first{};
    std::size_t slowest = 0;    // number of samples in which this rank was the slowest, ties included
    median_signs was_slowest{}; // of the samples in the series: below if this rank was the slowest
    bool clock_fault = false;

    void add(seconds t, bool is_slowest) {
        if (counted++ == 0) first = t;
        sum += t;
        slowest += is_slowest;
        clock_fault |= t < seconds{};
    }
    bool counts() const { return role == role::initiator; }
    seconds mean() const { return sum / static_cast<double>(counted); }
    /// Variance of [this rank was the slowest] over the samples of the series; 0 if it always or never was.
    double variance_of_slowest() const;
    /// Upper bound of the autocorrelation time of [this rank was the slowest]; the estimate if the series is long.
    double slowest_tau() const;
};

/// A pattern while it is measured: the record, and the contribution of this rank.
struct measurement {
    record found{};
    rank_samples mine{};
    sample_block block{};
    seconds first{};             // iteration, of the warm-up
    std::vector<seconds> kept{}; // this rank's times of the first samples of the series, for `rank_samples`
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
    void after_sample(auto const& begin, auto const& end) {
        guard([&] { sonde::after_sample(this->pattern_, begin, end); });
    }

private:
    void guard(auto f) {
        try {
            f();
        } catch (...) {
            if (!*failure_) *failure_ = std::current_exception();
        }
    }

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

/// Throws on all ranks if the pattern threw on a rank: that exception on that rank, and other_rank_error on the other
/// ranks. Does nothing if the plan does not agree on errors. Collective over the group; one reduction.
template <class Plan>
void agree_on_errors(group_ref const& group, Plan const&, std::exception_ptr const& failure) {
    if constexpr (Plan::agrees_on_errors) {
        std::array<double, 1> first{failure ? -group.rank() : no_value};
        group.all_reduce(first, reduction::max);
        if (failure) std::rethrow_exception(failure);
        if (first[0] != no_value) throw other_rank_error{static_cast<int>(-first[0])};
    }
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

/// Take sample i.
template <class Plan>
void take_sample(Group auto& group, Plan& plan, pattern_ref<decltype(Plan::clock)> const& pattern, std::size_t i,
                 sample_block& into) {
    plan.synchronize(group, i);
    auto const sample = detail::time_batch(plan.clock, pattern, plan.batch_iterations);
    sonde::after_sample(pattern, sample.begin, sample.end);
    detail::add_sample(plan, sample.begin, sample.end, into);
}

/// Find the slowest rank's times of a block and, with a global clock, the extremes of begins and ends. Idle ranks
/// contribute nothing, and responders do not contribute times. Collective over the group.
void reduce_block(group_ref const& group, sample_block& block, role mine);

/// Append the mean over initiators of each time to `means`; 0 without initiators. Collective over the group.
void append_means(group_ref const& group, std::span<seconds const> times, bool counts, std::vector<seconds>& means);

/// Add a block to its record and to this rank's sums, and set `block.slowest`. Collective over the group.
void add_block(group_ref const& group, keep_options keep, measurement& one);

/// A decision, and the number of samples before the next evaluation.
struct evaluation {
    sonde::decision decision;
    std::size_t next;
};

/// Evaluate the stopping rule, with the same result on all ranks. Rules with a known schedule need no message;
/// otherwise rank 0 broadcasts its decision, and all ranks throw if its rule throws. Collective over the group.
evaluation evaluate(group_ref const& group, StoppingRule auto& rule, bool known_schedule, progress const& seen,
                    bool clock_stands_still) {
    auto const evaluated = [&]() -> evaluation {
        decision const made = rule(seen);
        if (clock_stands_still && !made.stop) return {{true, stop_reason::unreachable}, 1};
        return {made, rule.next(seen.samples)};
    };
    if (known_schedule) return evaluated();
    evaluation answer{{}, 0}; // 0 samples if the rule throws, else at least 1
    std::exception_ptr failure;
    if (group.rank() == 0) try {
            answer = evaluated();
            answer.next = block_size(answer.next);
        } catch (...) {
            failure = std::current_exception();
        }
    sonde::broadcast(group, answer);
    if (failure) std::rethrow_exception(failure);
    if (answer.next == 0) throw std::runtime_error{"sonde::run: the stopping rule threw an exception on rank 0"};
    return answer;
}

/// The time on this rank's clock since this object was constructed, which is when sampling begins. For a uniform rule,
/// which does not depend on the time, it is 0 and the clock is not read.
template <Clock C>
class sampling_time {
public:
    sampling_time(C& clock, bool uniform) : clock_{&clock}, uniform_{uniform}, begin_{first_reading(clock, uniform)} {}

    /// `taken`: number of samples so far.
    seconds operator()(std::size_t taken) {
        auto const elapsed = uniform_ ? seconds{} : elapsed_(clock_->now() - begin_);
        if (uniform_ || elapsed > latest_) advanced_ = taken;
        latest_ = elapsed;
        unchanged_ = taken - advanced_;
        return elapsed;
    }
    /// True if no time passed during the last 2^22 samples. Even a clock with ticks of 100 ms advances once in 2^22
    /// samples.
    bool stands_still() const { return unchanged_ >> 22 != 0; }
    bool is_faulty() const { return stands_still() || elapsed_.stepped_back(); }

private:
    using reading = decltype(std::declval<C&>().now());

    /// If the type of readings has no default constructor, the clock is read even for a uniform rule.
    static reading first_reading(C& clock, bool uniform) {
        if constexpr (std::is_default_constructible_v<reading>)
            if (uniform) return {};
        return clock.now();
    }

    C* clock_;
    bool uniform_;
    reading begin_;
    elapsed_times elapsed_;
    seconds latest_{};
    std::size_t advanced_ = 0; // number of samples when time passed last
    std::size_t unchanged_ = 0;
};

/// Throws std::runtime_error, on all ranks, if nearly every sample begins too late: repeating them would never end.
void require_some_in_time(record const& r, std::size_t taken);

/// The samples of all measurements, block by block, until the rule ends the series. The rule is given the number of
/// samples and the times of the first measurement. The plan, the rule and the measurements must outlive it.
template <class Plan, StoppingRule Rule>
class sampling {
public:
    sampling(group_ref group, Plan& plan, Rule& rule, bool known_schedule, std::span<measurement> all)
        : group_{group}, plan_{&plan}, rule_{&rule}, known_schedule_{known_schedule}, all_{all},
          elapsed_{plan.clock, sonde::is_uniform(rule)}, latest_{{}, rule.next(0)} {
        for (auto& one : all) {
            one.found.batch = plan.batch_iterations;
            if (detail::global_clock_of(plan.synchronize) != nullptr) one.found.global.emplace();
        }
        resolution_ = sample_resolution(base().found);
    }
    sampling(sampling&&) = delete;

    /// Number of samples to take of each measurement before the next evaluation; 0 at the end of the series. A record
    /// has at least one sample, even if the first samples were late.
    std::size_t next() const {
        return latest_.decision.stop && base().mine.counted != 0 ? 0 : block_size(latest_.next);
    }
    /// Number of samples so far.
    std::size_t taken() const { return taken_; }
    /// Evaluate the rule after `count` samples, which are in the block of each measurement. `failure`: the first
    /// exception of this rank's patterns, for a plan that agrees on errors. Collective over the group.
    void evaluate(std::size_t count, std::exception_ptr const& failure) {
        taken_ += count;
        auto const so_far = elapsed_(taken_);
        detail::agree_on_errors(group_, *plan_, failure);
        for (auto& one : all_) detail::add_block(group_, plan_->retention, one);
        detail::require_some_in_time(base().found, taken_);
        latest_ = detail::evaluate(group_, *rule_, known_schedule_,
                                   progress{as_span(base().block.slowest), so_far, as_span(base().found.series),
                                            base().mine.counted, resolution_},
                                   elapsed_.stands_still());
    }
    /// Add how the series ended to each measurement.
    void finish() {
        for (auto& one : all_) {
            one.found.stop = {latest_.decision.reason, base().mine.counted};
            one.mine.clock_fault |= group_.rank() == 0 && elapsed_.is_faulty();
        }
    }

private:
    measurement const& base() const { return all_.front(); }

    group_ref group_;
    Plan* plan_;
    Rule* rule_;
    bool known_schedule_;
    std::span<measurement> all_;
    sampling_time<decltype(Plan::clock)> elapsed_;
    evaluation latest_;
    seconds resolution_{};
    std::size_t taken_ = 0;
};

/// Sample until the rule ends the series. `take(i, n)` takes n or more samples of each measurement into its block, from
/// sample i on, and returns their number. Collective over the group.
void sample(group_ref const& group, auto& plan, StoppingRule auto& rule, bool known_schedule,
            std::span<measurement> all, std::exception_ptr const& failure, auto take) {
    sampling series{group, plan, rule, known_schedule, all};
    while (auto const n = series.next()) series.evaluate(take(series.taken(), n), failure);
    series.finish();
}

} // namespace sonde::detail

#if SONDE_DEFINITIONS

namespace sonde::inline v0_1::detail {

SONDE_INLINE double rank_samples::variance_of_slowest() const {
    if (was_slowest.size() == 0) return 0;
    auto signs = was_slowest;
    return signs.autocovariance(0) / (4 * static_cast<double>(signs.size()));
}

SONDE_INLINE double rank_samples::slowest_tau() const {
    auto const n = was_slowest.size();
    auto const found = sum_autocorrelation(was_slowest);
    return is_correlated(n, found.time) ? found.upper_bound(n) : found.time;
}

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
        mine.was_slowest.add(is_slowest, !is_slowest);
        if (keep.rank_samples && one.kept.size() < keep.max_rank_samples / static_cast<std::size_t>(group.size()))
            one.kept.push_back(block.times[i]);
        if (keep.sample_means) block.retained.push_back(block.times[i]);
        if (into.global) append_global(block, i, into.batch, *into.global);
    }
    if (keep.sample_means) detail::append_means(group, as_span(block.retained), mine.counts(), into.sample_means);
}

SONDE_INLINE void require_some_in_time(record const& r, std::size_t taken) {
    if (r.global && r.global->late_samples >= 1000 && r.global->late_samples > taken / 10 * 9)
        throw std::runtime_error{"sonde::run: 9 in 10 samples begin too late; the synchronized start needs more slack"};
}

} // namespace sonde::detail

#endif
