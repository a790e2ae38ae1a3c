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
        detail::work(group, 0); // the caller's, until the first step
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
        detail::synchronize(*group_, plan_, (series_ ? series_->taken() : steps_.done()) + added_);
    }
    /// Add a sample: the readings of the plan's clock at its begin and its end. Throws std::logic_error if the step has
    /// no more samples.
    void add(reading const& begin, reading const& end) {
        require_sample();
        if (phase_ == phase::sampling) detail::add_sample(plan_, begin, end, one_.block);
        else if (steps_.takes_time()) steps_.add(end - begin);
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
        detail::expect(*group_, 0);
        detail::finish(
            ranks_, plan_, [this] { return moved_; }, detail::clock_deviation_of(*group_, plan_), one_);
        watched_.reset();
        return std::move(one_.found);
    }

private:
    enum class phase : unsigned char { warm_up, sampling, complete, finished };

    void require_sample() const {
        if (added_ == step_.samples) throw std::logic_error{"sonde::stepwise_run: the step has no more samples"};
    }

    measurement_step evaluate_and_advance() {
        if (added_ != step_.samples && !failure_)
            fail(std::make_exception_ptr(std::logic_error{"sonde::stepwise_run: a step of " +
                                                          std::to_string(step_.samples) + " samples got " +
                                                          std::to_string(added_)}));
        detail::expect(*group_, 0);
        detail::wait_in(*group_, call_phase::combination);
        if (phase_ != phase::sampling) detail::agree_on_errors(ranks_, plan_, failure_);
        step_ = step_after_the_last();
        added_ = 0;
        if (phase_ == phase::sampling) one_.block.reset(step_.samples, one_.found.global.has_value());
        if (step_.samples == 0) {
            detail::work(*group_, 0); // the caller's, until it takes the record
        } else {
            detail::expect(*group_, step_.samples * step_.batch);
            detail::wait_in(*group_, call_phase::iterations);
        }
        return step_;
    }

    measurement_step step_after_the_last() {
        if (phase_ == phase::warm_up) {
            if (auto const step = steps_.next(); step.samples != 0) return step;
            phase_ = phase::sampling;
            series_.emplace(ranks_, plan_, plan_.rule, known_schedule_, std::span<detail::measurement>{&one_, 1});
        } else if (phase_ == phase::sampling) {
            series_->evaluate(added_, failure_);
        } else {
            throw std::logic_error{"sonde::stepwise_run: the run is complete"};
        }
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
    detail::warm_up_steps<Plan> steps_{ranks_, plan_, one_};
    std::optional<detail::sampling<Plan, decltype(Plan::rule)>> series_;
    phase phase_ = phase::warm_up;
    measurement_step step_{0, 0}; // the last
    std::size_t added_ = 0;       // samples of this step
    std::exception_ptr failure_;
};

} // namespace sonde
