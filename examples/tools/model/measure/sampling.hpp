// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/measure/experiment.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/model.hpp>
#include <sonde/stop/precision.hpp>

#include <cstddef>

namespace tools::model {

/// Stopping rule of a point: a number of samples; or the precision, or the time limit with at least ten samples.
class point_rule {
public:
    explicit point_rule(measure_options const& options)
        : uniform{options.samples.has_value()}, count_{options.samples.value_or(0)},
          limits_{sonde::relative_error{options.precision} ||
                  (sonde::samples{10} && sonde::time_budget{options.time})} {}

    bool uniform;
    std::size_t next(std::size_t n) const { return uniform ? count_.next(n) : limits_.next(n); }
    sonde::decision operator()(sonde::progress const& now) {
        if (uniform) return count_(now);
        auto decision = limits_(now);
        if (decision.reason == sonde::stop_reason::samples) // the tenth sample came after the time limit
            decision.reason = sonde::stop_reason::time_budget;
        return decision;
    }

private:
    sonde::samples count_;
    sonde::any_of<sonde::relative_error, sonde::all_of<sonde::samples, sonde::time_budget>> limits_;
};

/// Plan for a size, without its synchronization.
inline auto plan_of(measure_options const& options, std::size_t bytes) {
    auto const rule = sonde::plan<>{}.until(point_rule{options});
    auto const warmed = options.warmup ? rule.warmup(*options.warmup) : rule.warmup(sonde::until_stable{});
    switch (options.batch.by) {
    case batch_size::source::imb:
        return warmed.batch(static_cast<std::size_t>(sonde::model::imb_repetitions(sonde::model::bytes{bytes})));
    case batch_size::source::fixed:
        return warmed.batch(options.batch.iterations);
    case batch_size::source::timer:
        break;
    }
    return warmed.batch(sonde::by_timer);
}

/// Synchronizer that starts samples as `Start` does, and uses a global clock only to measure the entry skew.
template <class Start, class GlobalClock>
class skew_measured {
public:
    skew_measured(Start start, GlobalClock& clock) : start_{start}, clock_{&clock} {}

    void operator()(auto& group, std::size_t i) { start_(group, i); }
    skew_measured* global_clock() { return this; }
    void synchronize(auto& group) { clock_->synchronize(group); }
    bool on_time() const { return true; }
    sonde::seconds to_global(sonde::seconds reading) const { return clock_->to_global(reading); }
    sonde::clock_deviation measure_deviation(auto& group) { return clock_->measure_deviation(group); }

private:
    Start start_;
    GlobalClock* clock_;
};

/// Synchronizer for pairs that start apart: a barrier of all ranks, the warm-up, and a barrier of the pair.
template <class P, class Pair>
class apart_start {
public:
    apart_start(P& pattern, Pair const& pair, std::size_t warmup) : pattern_{&pattern}, pair_{&pair}, warmup_{warmup} {}

    void operator()(auto& all, std::size_t) {
        all.barrier();
        for (std::size_t i = 0; i != warmup_; ++i) (*pattern_)();
        pair_->barrier();
    }

private:
    P* pattern_;
    Pair const* pair_;
    std::size_t warmup_;
};

/// Time in which both pairs would have the sum of their bandwidths: the harmonic mean of their times, from the longer
/// time and the arithmetic mean.
constexpr sonde::seconds harmonic_mean(sonde::seconds slower, sonde::seconds mean) {
    return slower * ((2 * mean - slower) / mean);
}

/// Replace the samples of a record of two initiators by those of the sum of their bandwidths, as one adds up two tables
/// of the Intel MPI Benchmarks. The record needs sample means, which are removed.
inline void add_bandwidths(sonde::record& r) {
    for (std::size_t i = 0; i != r.series.size(); ++i) r.series[i] = harmonic_mean(r.series[i], r.sample_means[i]);
    r.sample_means.clear();
}

} // namespace tools::model
