// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/stop.hpp>
#include <sonde/sync.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sonde {

/// What a record holds on request. Sample means cost one more reduction a block of samples, outside the samples; rank
/// means one at the end.
struct kept {
    bool sample_means = false;
    bool rank_means = false;
};

/// How to measure: a value, made for one point and equal on all ranks.
///
/// By default 10 iterations of warm-up, a barrier, 100 samples of one iteration each, the steady clock. Each setter
/// answers a new plan. A suite's methodology is such a value.
template <Clock C = steady_clock, StoppingRule R = samples, class S = barrier_once>
struct plan {
    std::size_t warmup_iterations = 10;
    std::size_t batch_iterations = 1;
    R rule = default_rule();
    S synchronize{};
    C clock{};
    kept keeps{};

    /// Iterations before the first sample.
    plan warmup(std::size_t iterations) const {
        auto changed = *this;
        changed.warmup_iterations = iterations;
        return changed;
    }
    /// Iterations of one sample, between two readings of the clock.
    plan batch(std::size_t iterations) const {
        auto changed = *this;
        changed.batch_iterations = iterations;
        return changed;
    }
    /// What the record holds beside the series: `keep({.sample_means = true})`.
    plan keep(kept more) const {
        auto changed = *this;
        changed.keeps = more;
        return changed;
    }
    template <StoppingRule Rule>
    plan<C, Rule, S> until(Rule stop) const {
        return {warmup_iterations, batch_iterations, std::move(stop), synchronize, clock, keeps};
    }
    template <class Sync>
    plan<C, R, Sync> synchronized(Sync sync) const {
        return {warmup_iterations, batch_iterations, rule, std::move(sync), clock, keeps};
    }
    template <Clock Other>
    plan<Other, R, S> timed_by(Other other) const {
        return {warmup_iterations, batch_iterations, rule, synchronize, std::move(other), keeps};
    }

    /// Throws std::invalid_argument where nothing could be measured this way.
    void validate() const {
        if (batch_iterations == 0) throw std::invalid_argument{"sonde::plan: a batch needs at least one iteration"};
        if (rule.next(0) == 0) throw std::invalid_argument{"sonde::plan: the stopping rule allows no sample"};
    }

private:
    static R default_rule() {
        if constexpr (std::same_as<R, samples>) return samples{100};
        else return R{};
    }
};

} // namespace sonde
