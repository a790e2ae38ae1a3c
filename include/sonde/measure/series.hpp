// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/sampling.hpp>
#include <sonde/measure/warm_up.hpp>
#include <sonde/stat/order_statistics.hpp>
#include <sonde/stop.hpp>
#include <sonde/sync.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace sonde::inline v0_1::detail {

/// A decision, and the number of samples before the next evaluation.
struct evaluation {
    sonde::decision decision;
    std::size_t next;
};

/// Evaluate the stopping rule, with the same result on all ranks. Rules with a known schedule need no message, and are
/// not to throw, since they did not when the schedule was found; otherwise rank 0 broadcasts its decision, and all
/// ranks throw if its rule throws. Collective over the group.
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
    detail::attempt(failure, [&] {
        if (group.rank() != 0) return;
        answer = evaluated();
        answer.next = block_size(answer.next);
    });
    sonde::broadcast(group, answer);
    detail::throw_failure(answer.next == 0 ? 0 : no_value, failure, other_rank{});
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
///
/// Samples that contradict the warm-up or the batch are discarded, as iterations of the warm-up are, and the series
/// begins again, with a fresh copy of the rule and the batch that they show to be right: at most once for the warm-up
/// and three times for the batch, and only while there are at most 1,024 samples, or one block.
template <class Plan, StoppingRule Rule>
class sampling {
public:
    sampling(group_ref group, Plan& plan, Rule const& rule, bool known_schedule, std::span<measurement> all)
        : group_{group}, plan_{&plan}, original_{&rule}, known_schedule_{known_schedule}, all_{all} {
        begin();
    }
    sampling(sampling&&) = delete;

    /// Number of samples to take of each measurement before the next evaluation; 0 at the end of the series. A record
    /// has at least one sample, even if the first samples were late.
    std::size_t next() const {
        auto const& latest = now_->latest;
        return latest.decision.stop && base().mine.counted != 0 ? 0 : block_size(latest.next);
    }
    /// Number of samples so far; 0 at the begin of a series.
    std::size_t taken() const { return now_->taken; }
    /// Evaluate the rule after `count` samples, which are in the block of each measurement. `failure`: the first
    /// exception of this rank's patterns, for a plan that agrees on errors. Collective over the group.
    void evaluate(std::size_t count, std::exception_ptr const& failure) {
        detail::wait_in(group_, call_phase::combination);
        auto& now = *now_;
        now.taken += count;
        auto const so_far = now.elapsed(now.taken);
        detail::agree_on_errors(group_, *plan_, failure);
        for (auto& one : all_) detail::add_block(group_, plan_->retention, one);
        detail::require_some_in_time(base().found, now.taken);
        now.latest = detail::evaluate(group_, now.rule, known_schedule_,
                                      progress{as_span(base().block.slowest), so_far, as_span(base().found.series),
                                               base().mine.counted, resolution_},
                                      now.elapsed.stands_still());
        check_calibration();
    }
    /// Add how the series ended to each measurement.
    void finish() {
        for (auto& one : all_) {
            one.found.stop = {now_->latest.decision.reason, base().mine.counted};
            one.mine.clock_fault |= group_.rank() == 0 && now_->elapsed.is_faulty();
        }
    }

private:
    /// Of one attempt.
    struct state {
        Rule rule;
        sampling_time<decltype(Plan::clock)> elapsed;
        evaluation latest;
        std::size_t taken = 0;
        std::size_t checked = 0; // samples when they were compared with the warm-up and the batch
    };

    measurement const& base() const { return all_.front(); }

    void begin() {
        for (auto& one : all_) {
            one.found.batch = plan_->batch_iterations;
            if (detail::global_clock_of(plan_->synchronize) != nullptr) one.found.global.emplace();
        }
        resolution_ = sample_resolution(base().found);
        now_.emplace(state{*original_, {plan_->clock, sonde::is_uniform(*original_)}, {{}, original_->next(0)}});
    }
    /// Begin again if the samples contradict the warm-up or the batch: on all ranks, because their series are equal.
    void check_calibration() {
        constexpr std::size_t enough = 16, enough_at_end = 6, most = 1024;
        auto const n = base().found.series.size();
        if (n < (now_->latest.decision.stop ? enough_at_end : enough) || now_->checked >= most) return;
        now_->checked = n;
        auto& batch = plan_->batch_iterations;
        auto const right = plan_->batch_by_timer && batches_left_ != 0 ? detail::batch_by_samples(all_, batch) : batch;
        auto const is_cold = plan_->warmup_until_stable && warmups_left_ != 0 && detail::any_begins_cold(all_);
        if (right == batch && !is_cold) return;
        batches_left_ -= right != batch;
        warmups_left_ -= is_cold;
        batch = right;
        for (auto& one : all_) one.discard_samples();
        begin();
    }

    group_ref group_;
    Plan* plan_;
    Rule const* original_;
    bool known_schedule_;
    std::span<measurement> all_;
    std::optional<state> now_;
    seconds resolution_{};
    std::size_t batches_left_ = 3; // that may be chosen by samples
    std::size_t warmups_left_ = 1; // that may be longer by samples
};

/// Sample until the rule ends the series. `take(i, n)` takes n or more samples of each measurement into its block, from
/// sample i on, and returns their number; i is 0 again if the series begins again. Collective over the group.
void sample(group_ref const& group, auto& plan, StoppingRule auto const& rule, bool known_schedule,
            std::span<measurement> all, std::exception_ptr const& failure, auto take) {
    sampling series{group, plan, rule, known_schedule, all};
    while (auto const n = series.next()) series.evaluate(take(series.taken(), n), failure);
    series.finish();
}

} // namespace sonde::detail

#if SONDE_DEFINITIONS

namespace sonde::inline v0_1::detail {

SONDE_INLINE void require_some_in_time(record const& r, std::size_t taken) {
    if (r.global && r.global->late_samples >= 1000 && r.global->late_samples > taken / 10 * 9)
        throw std::runtime_error{"sonde::run: 9 in 10 samples begin too late; the synchronized start needs more slack"};
}

} // namespace sonde::detail

#endif
