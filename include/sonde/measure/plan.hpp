// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/detail/misuse.hpp>
#include <sonde/stop.hpp>
#include <sonde/sync.hpp>
#include <sonde/version.hpp>
#include <sonde/witness/carried_traffic.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <sonde/detail/refuse.inc>

namespace sonde::inline v0_1 {

/// Optional contents of a record.
struct keep_options {
    bool sample_means = false;            // one more reduction per block of samples, outside the timed region
    bool rank_means = false;              // on every rank: one more reduction at the end, of a value for each rank
    bool rank_samples = false;            // times of every rank, on rank 0: a gather at the end
    bool on_all_ranks = false;            // rank samples on every rank: a reduction at the end instead of the gather
    std::optional<std::size_t> samples{}; // capacity of the series; later samples go to `record::overflow`
    carried_reader* carried = nullptr;    // a `witness`: what network devices carried; two readings, outside of samples

    /// Capacity of the series of a plan that gives none.
    static constexpr std::size_t default_samples = std::size_t{1} << 20;
    /// Maximum number of rank samples in a record: 128 MiB, and as much again while they are gathered. Each rank keeps
    /// an equal number of samples, its first samples.
    static constexpr std::size_t max_rank_samples = std::size_t{1} << 24;
    /// Capacity of the series.
    std::size_t max_samples() const { return samples.value_or(default_samples); }
};

/// A warm-up until the times are stable, in blocks of 1, 2, 4 .. iterations. It ends when the median of a block of 16
/// or more iterations is within `tolerance` of the median of the previous block (both of the slowest rank), when
/// `max_time` has passed on rank 0, or after 16383 iterations.
struct until_stable {
    double tolerance = 0.05;
    seconds max_time{0.1};
};

/// Tag of a batch that is as long as the clock needs: `plan.batch(by_timer)`.
struct by_timer_t {};
/// The tag.
inline constexpr by_timer_t by_timer{};

/// A plan: how to measure, as a value, equal on all ranks. The default is 10 iterations of warm-up, a barrier, 100
/// samples of one iteration each, and the steady clock. Each setter returns a new plan.
template <Clock C = steady_clock, StoppingRule R = samples, class S = barrier_once, bool AgreesOnErrors = false>
struct plan {
    /// True if an error on one rank is thrown on all.
    static constexpr bool agrees_on_errors = AgreesOnErrors;

    std::size_t warmup_iterations = 10; // before the first sample
    std::size_t batch_iterations = 1;   // per sample
    R rule = default_rule();            // when the series ends
    S synchronize{};                    // before each sample
    C clock{};                          // by which samples are timed
    keep_options retention{};           // optional contents of the record
    until_stable stability{};           // of a warm-up until it is stable
    bool warmup_until_stable = false;   // instead of `warmup_iterations`
    bool batch_by_timer = false;        // at least `batch_iterations`

    /// Number of iterations before the first sample.
    [[nodiscard]] plan warmup(std::size_t iterations) const {
        return with(&plan::warmup_iterations, iterations).with(&plan::warmup_until_stable, false);
    }
    /// Iterations before the first sample, until their times are stable.
    [[nodiscard]] plan warmup(until_stable condition) const {
        return with(&plan::stability, condition).with(&plan::warmup_until_stable, true);
    }
    template <std::floating_point T>
    SONDE_REFUSE("warmup takes a number of iterations, or sonde::until_stable{.max_time = sonde::seconds{t}}",
                 warmup(T) const);
    /// Number of iterations in a sample, between two readings of the clock.
    [[nodiscard]] plan batch(std::size_t iterations) const {
        return with(&plan::batch_iterations, iterations).with(&plan::batch_by_timer, false);
    }
    template <std::floating_point T>
    SONDE_REFUSE("batch takes a number of iterations, or sonde::by_timer", batch(T) const);
    /// Choose, after the warm-up, the smallest batch that lasts 20 times the clock's bias and 100 of its ticks, plus a
    /// quarter, since times vary. The batch is equal on all ranks. Percentiles are then percentiles of batch means.
    [[nodiscard]] plan batch(by_timer_t) const { return batch(1).with(&plan::batch_by_timer, true); }
    /// Keep more in the record: `keep({.sample_means = true})`. Calls accumulate, so that a function can add what it
    /// needs to a caller's plan, but the last capacity counts. To keep less, assign to `retention`.
    [[nodiscard]] plan keep(keep_options more) const {
        if (!more.samples) more.samples = retention.samples;
        if (more.carried == nullptr) more.carried = retention.carried;
        return with(&plan::retention,
                    {retention.sample_means || more.sample_means, retention.rank_means || more.rank_means,
                     retention.rank_samples || more.rank_samples, retention.on_all_ranks || more.on_all_ranks,
                     more.samples, more.carried});
    }
    /// The stopping rule, which ends the series.
    template <StoppingRule Rule>
    [[nodiscard]] plan<C, Rule, S, AgreesOnErrors> until(Rule stop) const {
        return with(std::move(stop), synchronize, clock);
    }
    template <class T>
        requires(!StoppingRule<T>)
    SONDE_REFUSE(
        "until takes a sonde::StoppingRule: sonde::samples{n} of a number, sonde::time_budget{t} of a time; for a "
        "type of your own static_assert(sonde::StoppingRule<my_rule>) names the fault",
        until(T) const);
    /// The synchronizer, called before each iteration of the warm-up and before each sample.
    template <class Sync>
        requires(std::is_class_v<Sync> || std::is_function_v<std::remove_pointer_t<Sync>>)
    [[nodiscard]] plan<C, R, Sync, AgreesOnErrors> synchronized(Sync sync) const {
        return with(rule, std::move(sync), clock);
    }
    /// The clock by which samples are timed.
    template <Clock Other>
    [[nodiscard]] plan<Other, R, S, AgreesOnErrors> timed_by(Other other) const {
        return with(rule, synchronize, std::move(other));
    }
    /// If the pattern throws on a rank, the run throws on all ranks: the same exception on that rank, and
    /// `other_rank_error` on the others. Ranks learn of an exception by a reduction after the warm-up and after each
    /// block of samples, before the stopping rule is evaluated. `samples{n}` has one block, a time budget several.
    /// Until then the rank continues to iterate, since its peers wait for its messages. Exceptions of the synchronizer
    /// and the clock are not covered. The result has another type than this plan.
    [[nodiscard]] plan<C, R, S, true> agree_on_errors() const { return with<true>(rule, synchronize, clock); }

    /// Converts the rule and the synchronizer to other types, such as `any_rule`. Example, with a plan `p` of an
    /// `any_rule`: `if (exact) p = p.until(relative_error{0.01});`
    template <StoppingRule Rule, class Sync>
        requires std::convertible_to<R, Rule> && std::convertible_to<S, Sync>
    operator plan<C, Rule, Sync, AgreesOnErrors>() const {
        return with(static_cast<Rule>(rule), static_cast<Sync>(synchronize), clock);
    }

    /// Throws std::invalid_argument if the plan allows no measurement.
    void validate() const {
        if (batch_iterations == 0) throw std::invalid_argument{"sonde::plan: a batch needs at least one iteration"};
        if (batch_iterations > most)
            throw std::invalid_argument{"sonde::plan: a batch of over 2^48 iterations never ends"};
        if constexpr (std::same_as<R, samples>)
            if (rule.count > most) throw std::invalid_argument{"sonde::plan: a series of over 2^48 samples never ends"};
        if (warmup_iterations > most)
            throw std::invalid_argument{"sonde::plan: a warm-up of over 2^48 iterations never ends"};
        if (!detail::is_finite(stability.max_time.count()) || stability.max_time < seconds{})
            throw std::invalid_argument{
                "sonde::plan: the time of a warm-up must be a finite number of seconds of at least 0"};
        if (!detail::is_finite(stability.tolerance) || stability.tolerance < 0 || stability.tolerance >= 1)
            throw std::invalid_argument{
                "sonde::plan: the tolerance of a warm-up must be at least 0 and below 1: 0.05 is 5 %"};
        if (retention.max_samples() == 0)
            throw std::invalid_argument{"sonde::plan: a record keeps at least one sample"};
        if (retention.on_all_ranks && !retention.rank_samples)
            throw std::invalid_argument{"sonde::plan: on_all_ranks is about rank_samples, which are not kept"};
        if ((batch_by_timer || batch_iterations != 1) && !detail::sync_hook::allows_batches(synchronize))
            throw std::invalid_argument{"sonde::plan: the synchronizer prepares one iteration; a batch must have one"};
        if (rule.next(0) == 0) throw std::invalid_argument{"sonde::plan: the stopping rule allows no sample"};
    }

private:
    static constexpr std::size_t most = std::size_t{1} << 48; // three days of the shortest iterations

    static R default_rule() {
        if constexpr (std::same_as<R, samples>) return samples{100};
        else return R{};
    }
    template <class T>
    plan with(T plan::*member, std::type_identity_t<T> value) const {
        auto changed = *this;
        changed.*member = value;
        return changed;
    }
    template <bool Agrees = AgreesOnErrors, class Rule, class Sync, class Other>
    plan<Other, Rule, Sync, Agrees> with(Rule stop, Sync sync, Other other) const {
        return {warmup_iterations, batch_iterations, std::move(stop),     std::move(sync), std::move(other),
                retention,         stability,        warmup_until_stable, batch_by_timer};
    }
};

/// Range of message sizes in bytes, each twice the size before: first, 2 first, 4 first ... up to last. If first is 0,
/// the sizes are 0, 1, 2, 4 ...
class sizes {
public:
    /// Throws std::invalid_argument for last < first.
    sizes(std::size_t first, std::size_t last) {
        if (last < first) throw std::invalid_argument{"sonde::sizes: the last size is below the first"};
        all_.push_back(first);
        if (first == 0 && last != 0) all_.push_back(1);
        while (all_.back() != 0 && all_.back() <= last / 2) all_.push_back(2 * all_.back()); // does not overflow
    }
    auto begin() const { return all_.begin(); }
    auto end() const { return all_.end(); }

private:
    std::vector<std::size_t> all_;
};

} // namespace sonde

#include <sonde/detail/refuse.inc>
