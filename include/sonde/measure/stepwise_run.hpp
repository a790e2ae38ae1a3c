// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/measure/sampling.hpp>
#include <sonde/measure/series.hpp>
#include <sonde/measure/warm_up.hpp>
#include <sonde/pattern.hpp>
#include <sonde/sync.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// Samples that the caller of a `stepwise_run` takes next.
struct measurement_step {
    std::size_t samples; // to take before the next step; 0: the run is complete
    std::size_t batch;   // iterations per sample
};

/// A run whose loop is the caller's: for languages whose timed loop must be their own code. It warms up, chooses the
/// batch, synchronizes, stops and reduces as `run` does; the caller takes the samples and hands over their readings.
///
///     stepwise_run steps{group, plan, {"halo"}};
///     for (auto step = steps.next(); step.samples != 0; step = steps.next())
///         for (std::size_t i = 0; i != step.samples; ++i) {
///             steps.synchronize();
///             auto const begin = clock.now();
///             for (std::size_t k = 0; k != step.batch; ++k) exchange();
///             steps.add(begin, clock.now());
///         }
///     record const r = steps.finish();
///
/// The plan must `agree_on_errors`. The group must outlive the run.
template <Group G, class Plan>
    requires Synchronizer<decltype(Plan::synchronize), G> && Plan::agrees_on_errors
class stepwise_run {
    using reading = decltype(std::declval<decltype(Plan::clock)&>().now());

public:
    /// Compare the plans of the ranks, and prepare the synchronizer. `moved`, `role`: of this rank's iterations. Throws
    /// what `run` throws before it measures. Collective over the group.
    stepwise_run(G& group, Plan plan, point at, traffic moved = {}, role mine = role::initiator)
        : group_{&group}, ranks_{group}, plan_{std::move(plan)}, moved_{moved}, name_{at.name} {
        watched_.emplace(group, "stepwise_run", name_.c_str());
        detail::collective_call call{"stepwise_run"};
        detail::attempt(failure_, [&] { call.add(at, moved); });
        known_schedule_ = detail::require_equal(ranks_, plan_, call, failure_);
        one_.found.point = std::move(at);
        one_.mine.role = mine;
        one_.found.clock_properties = sonde::clock_properties_of(plan_.clock);
        detail::synchronize_clocks(group, plan_);
    }
    stepwise_run(stepwise_run&&) = delete;

    /// Evaluate the samples of the last step, and say what to do next. Collective over the group.
    ///
    /// Throws the exception of `fail` on the rank that failed, and `other_rank_error` on the other ranks. A rank that
    /// added too few samples has failed by std::logic_error; but if the synchronizer is collective, it must have
    /// synchronized as often as the others.
    [[nodiscard]] measurement_step next() {
        try {
            return evaluate_and_advance();
        } catch (...) {
            watched_.reset();
            throw;
        }
    }
    /// Synchronize the ranks before the next sample, as the plan says. Throws std::logic_error if the step has no more
    /// samples.
    void synchronize() {
        require_sample();
        detail::synchronize(*group_, plan_, done_ + added_);
    }
    /// Add a sample: the readings of the plan's clock at its begin and its end. Throws std::logic_error if the step has
    /// no more samples.
    void add(reading const& begin, reading const& end) {
        require_sample();
        if (!one_.first && phase_ != phase::sampling) one_.first = end - begin; // of one iteration
        if (phase_ == phase::sampling) detail::add_sample(plan_, begin, end, one_.block);
        else if (phase_ == phase::batch || plan_.warmup_until_stable) times_.emplace_back(end - begin);
        ++added_;
    }
    /// Let the run fail: the next call of `next` throws this exception, and `other_rank_error` on the other ranks. This
    /// rank must complete its step, because the other ranks wait for it.
    void fail(std::exception_ptr exception) {
        if (!failure_) failure_ = std::move(exception);
    }
    /// The record of a complete run. Throws std::logic_error before `next` has returned a step without samples, and if
    /// the record was taken before. Collective over the group.
    [[nodiscard]] record finish() {
        if (phase_ == phase::finished) throw std::logic_error{"sonde::stepwise_run: the record was taken before"};
        if (phase_ != phase::complete) throw std::logic_error{"sonde::stepwise_run: the run is not complete"};
        phase_ = phase::finished;
        detail::finish(
            ranks_, plan_, [this] { return moved_; }, detail::clock_deviation_of(*group_, plan_), one_);
        watched_.reset();
        return std::move(one_.found);
    }

private:
    enum class phase : unsigned char { begin, warm_up, batch, sampling, complete, finished };

    bool counts() const { return one_.mine.role == role::initiator; }
    void require_sample() const {
        if (added_ == step_.samples) throw std::logic_error{"sonde::stepwise_run: the step has no more samples"};
    }

    measurement_step evaluate_and_advance() {
        if (added_ != step_.samples && !failure_)
            fail(std::make_exception_ptr(std::logic_error{"sonde::stepwise_run: a step of " +
                                                          std::to_string(step_.samples) + " samples got " +
                                                          std::to_string(added_)}));
        detail::wait_in(*group_, call_phase::combination);
        if (phase_ != phase::sampling) detail::agree_on_errors(ranks_, plan_, failure_);
        step_ = step_after_the_last();
        added_ = 0;
        if (phase_ == phase::sampling) one_.block.reset(step_.samples, one_.found.global.has_value());
        detail::expect(*group_, step_.samples * step_.batch);
        return step_;
    }

    measurement_step step_after_the_last() {
        switch (phase_) {
        case phase::begin:
            return begin_warmup();
        case phase::warm_up:
            return after_warmup_block();
        case phase::batch:
            return after_batch();
        case phase::sampling:
            series_->evaluate(added_, failure_);
            return next_block();
        default:
            throw std::logic_error{"sonde::stepwise_run: the run is complete"};
        }
    }
    measurement_step begin_warmup() {
        phase_ = phase::warm_up;
        if (plan_.warmup_until_stable) begin_.emplace(plan_.clock.now());
        auto const first = plan_.warmup_until_stable ? warmup_.block() : plan_.warmup_iterations;
        return first == 0 ? begin_batch() : measurement_step{first, 1};
    }
    measurement_step after_warmup_block() {
        done_ += added_;
        if (!plan_.warmup_until_stable ||
            warmup_.ends_with(ranks_, detail::as_span(times_), counts(), plan_.clock.now() - *begin_, plan_.stability))
            return begin_batch();
        times_.clear();
        return {warmup_.block(), 1};
    }
    measurement_step begin_batch() {
        phase_ = phase::batch;
        times_.clear();
        done_ = 0;
        return plan_.batch_by_timer ? measurement_step{search_.repetitions, search_.batch()} : begin_sampling();
    }
    measurement_step after_batch() {
        for (auto const t : times_) search_.add(t);
        times_.clear();
        auto const needed = search_.found(ranks_, counts(), one_.found.clock_properties);
        if (needed == 0) return {search_.repetitions, search_.batch()};
        one_.least_sample = search_.least_sample();
        if (needed > plan_.batch_iterations) plan_.batch_iterations = needed;
        return begin_sampling();
    }
    measurement_step begin_sampling() {
        phase_ = phase::sampling;
        series_.emplace(ranks_, plan_, plan_.rule, known_schedule_, std::span<detail::measurement>{&one_, 1});
        return next_block();
    }
    measurement_step next_block() {
        done_ = series_->taken();
        auto const n = series_->next();
        if (n == 0) {
            series_->finish();
            phase_ = phase::complete;
        }
        return {n, plan_.batch_iterations};
    }

    G* group_;
    group_ref ranks_;
    Plan plan_;
    traffic moved_;
    std::string name_;                               // for the watchdog
    std::optional<detail::watched_call<G>> watched_; // until the run ends
    bool known_schedule_ = false;
    detail::measurement one_;
    phase phase_ = phase::begin;
    measurement_step step_{0, 0}; // the last
    std::size_t added_ = 0;       // samples of this step
    std::size_t done_ = 0;        // iterations or samples of the phase before this step
    std::vector<seconds> times_;  // of this step, before the sampling
    std::optional<reading> begin_;
    detail::stable_warmup warmup_;
    detail::batch_search search_;
    std::optional<detail::sampling<Plan, decltype(Plan::rule)>> series_;
    std::exception_ptr failure_;
};

} // namespace sonde
