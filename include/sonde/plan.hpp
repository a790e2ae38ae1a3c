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
    /// Samples in the series, `by_default` where nothing is said; later ones are counted in `record::rest`.
    std::size_t samples = unspecified;

    static constexpr std::size_t unspecified = static_cast<std::size_t>(-1);
    static constexpr std::size_t by_default = std::size_t{1} << 20;
    std::size_t most_samples() const { return samples == unspecified ? by_default : samples; }
};

/// A warm-up that ends when it has warmed: blocks of 1, 2, 4 .. iterations until the median of one of 16 or more is
/// within `tolerance` of that of the block before (of the slowest rank each), or rank 0 has seen `most` pass, or after
/// 16383 iterations.
struct until_stable {
    double tolerance = 0.05;
    seconds most{0.1};
};

/// A batch as long as the clock needs: `plan.batch(by_timer)`.
struct by_timer_t {};
inline constexpr by_timer_t by_timer{};

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
    until_stable stable{};
    bool warms_until_stable = false; // instead of a number of iterations
    bool batch_by_timer = false;     // instead of a number of iterations

    /// Iterations before the first sample.
    [[nodiscard]] plan warmup(std::size_t iterations) const {
        auto changed = *this;
        changed.warmup_iterations = iterations;
        changed.warms_until_stable = false;
        return changed;
    }
    [[nodiscard]] plan warmup(until_stable how) const {
        auto changed = *this;
        changed.stable = how;
        changed.warms_until_stable = true;
        return changed;
    }
    /// Iterations of one sample, between two readings of the clock.
    [[nodiscard]] plan batch(std::size_t iterations) const {
        auto changed = *this;
        changed.batch_iterations = iterations;
        changed.batch_by_timer = false;
        return changed;
    }
    /// As few as make a sample 20 times what an empty one shows and 100 steps of the clock, so that the timer does not
    /// limit it, and a quarter more since times vary; found after the warm-up, equal on all ranks. Percentiles are then
    /// those of batch means.
    [[nodiscard]] plan batch(by_timer_t) const {
        auto changed = *this;
        changed.batch_by_timer = true;
        return changed;
    }
    /// What the record holds beside the series: `keep({.sample_means = true})`. Calls add up: what is kept already
    /// stays kept, and of the numbers of samples the last that is given counts (2^20 by default).
    [[nodiscard]] plan keep(kept more) const {
        auto changed = *this;
        changed.keeps.sample_means = keeps.sample_means || more.sample_means;
        changed.keeps.rank_means = keeps.rank_means || more.rank_means;
        if (more.samples != kept::unspecified) changed.keeps.samples = more.samples;
        return changed;
    }
    template <StoppingRule Rule>
    [[nodiscard]] plan<C, Rule, S> until(Rule stop) const {
        return {warmup_iterations,  batch_iterations, std::move(stop), synchronize, clock, keeps, stable,
                warms_until_stable, batch_by_timer};
    }
    template <class Sync>
    [[nodiscard]] plan<C, R, Sync> synchronized(Sync sync) const {
        return {warmup_iterations,  batch_iterations, rule, std::move(sync), clock, keeps, stable,
                warms_until_stable, batch_by_timer};
    }
    template <Clock Other>
    [[nodiscard]] plan<Other, R, S> timed_by(Other other) const {
        return {warmup_iterations,  batch_iterations, rule, synchronize, std::move(other), keeps, stable,
                warms_until_stable, batch_by_timer};
    }

    /// Throws std::invalid_argument where nothing could be measured this way.
    void validate() const {
        if (!batch_by_timer && batch_iterations == 0)
            throw std::invalid_argument{"sonde::plan: a batch needs at least one iteration"};
        if (keeps.most_samples() == 0) throw std::invalid_argument{"sonde::plan: a record keeps at least one sample"};
        if (!detail::allows_batches(synchronize) && (batch_by_timer || batch_iterations != 1))
            throw std::invalid_argument{"sonde::plan: the synchronizer prepares one iteration; a batch must have one"};
        if (rule.next(0) == 0) throw std::invalid_argument{"sonde::plan: the stopping rule allows no sample"};
    }

private:
    static R default_rule() {
        if constexpr (std::same_as<R, samples>) return samples{100};
        else return R{};
    }
};

} // namespace sonde
