// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/detail/misuse.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <sonde/detail/hooks.inc>
#include <sonde/detail/refuse.inc>

namespace sonde::inline v0_1 {

/// Why a series ended.
enum class stop_reason : unsigned char { none, samples, time_budget, precision, noise_floor, other, unreachable };

/// The name of the reason: "time_budget".
[[nodiscard]] inline char const* to_string(stop_reason reason) {
    constexpr char const* names[] = {"none",        "samples", "time_budget", "precision",
                                     "noise_floor", "other",   "unreachable"};
    return names[static_cast<unsigned char>(reason)];
}

/// Progress of the sampling, the argument of a stopping rule. Times are those of the slowest rank, per iteration.
struct progress {
    std::span<seconds const> block;    // samples since the previous evaluation of this rule
    seconds elapsed{};                 // on rank 0's clock since the first sample began; 0 for a uniform rule
    std::span<seconds const> series{}; // all samples in the record, the block included
    std::size_t samples = 0;           // samples taken; more than the series holds, once the record is full
    seconds resolution{};              // of the clock, per iteration
};

/// Decision of a stopping rule.
struct decision {
    bool stop = false;                      // the series ends
    stop_reason reason = stop_reason::none; // of the end
};

/// A rule that decides when enough samples are taken. Only rank 0 evaluates it, and broadcasts its decision, unless the
/// rule is uniform.
///
///     rule.next(n)       number of samples to take before the next evaluation, after n samples; at n = 0 at least 1
///     rule(progress)     -> decision
///     rule.uniform       optional bool: decisions depend on `progress::samples` only
///     rule.parameters()  optional, const: a range of double by which two rules of this type differ
///     rule.at_end(progress) -> decision  optional, const: asked when another rule of a combination ends the series;
///                        the reason is this rule's if it stops
///
/// Every rank evaluates a uniform rule, without a message. A run throws on all ranks if parameters or the schedules of
/// uniform rules differ.
template <class R>
concept StoppingRule = requires(R& rule, R const& before, std::size_t n, progress const& p) {
    { before.next(n) } -> std::convertible_to<std::size_t>;
    { rule(p) } -> std::convertible_to<decision>;
};

namespace detail::rule_hook {
SONDE_HOOK_NAME(uniform);
SONDE_HOOKS(SONDE_RULE_HOOKS);
} // namespace detail::rule_hook

/// True if the rule's decisions depend on the number of samples only. Hooks of the rule that do not fit do not compile.
template <StoppingRule R>
[[nodiscard]] constexpr bool is_uniform(R const& rule) {
    static_cast<void>(detail::rule_hook::calls_at_end<R, progress const&>());
    constexpr bool fits = requires { requires std::convertible_to<decltype(rule.uniform), bool>; };
    static_assert(fits || !detail::rule_hook::has_uniform<R>,
                  "uniform of a sonde::StoppingRule must be a public bool, not a function");
    if constexpr (fits) return rule.uniform;
    else return false;
}

namespace detail {

/// Number of samples before the next evaluation of a rule: at least one, and at most as many as a block may have.
constexpr std::size_t block_size(std::size_t requested) {
    constexpr std::size_t max = std::size_t{1} << 16;
    return requested == 0 ? 1 : requested < max ? requested : max;
}

/// A rule of a combination, evaluated on its own schedule until it stops. Its block has all samples since its previous
/// evaluation.
template <StoppingRule R>
class scheduled_rule {
public:
    constexpr explicit scheduled_rule(R rule) : rule_{std::move(rule)}, due_{block_size(rule_.next(0))} {}

    R const& rule() const { return rule_; }
    bool stopped() const { return last_.stop; }
    std::size_t next(std::size_t n) const { return n == 0 ? rule_.next(0) : due_ > n ? due_ - n : 1; }
    /// The decision of the rule if its evaluation is due, otherwise the decision not to stop. Once the rule has
    /// stopped, its decision stays.
    decision operator()(progress const& p) {
        if (last_.stop) return last_;
        if (p.samples < due_ || !pending_.empty())
            for (auto const t : p.block) pending_.push_back(t);
        if (p.samples < due_) return {};
        auto own = p;
        if (!pending_.empty()) own.block = {pending_.data(), pending_.size()};
        last_ = rule_(own);
        pending_.clear();
        due_ = p.samples + block_size(rule_.next(p.samples));
        return last_;
    }
    decision at_end(progress const& p) const {
        if constexpr (rule_hook::calls_at_end<R, progress const&>()) return last_.stop ? last_ : rule_.at_end(p);
        else return last_;
    }

private:
    R rule_;
    std::size_t due_; // number of samples at the next evaluation
    decision last_;
    std::vector<seconds> pending_;
};

/// Combination of two rules: it stops when both rules (`All`) or any of them stops.
template <bool All, StoppingRule A, StoppingRule B>
class two_rules {
public:
    bool uniform;

    constexpr two_rules(A a, B b)
        : uniform{sonde::is_uniform(a) && sonde::is_uniform(b)}, a_{std::move(a)}, b_{std::move(b)} {}

    std::size_t next(std::size_t n) const {
        if (a_.stopped()) return b_.next(n);
        if (b_.stopped()) return a_.next(n);
        auto const a = a_.next(n), b = b_.next(n);
        return a < b ? a : b;
    }
    std::vector<double> parameters() const {
        auto all = rule_hook::parameters(a_.rule()).all;
        for (double const number : rule_hook::parameters(b_.rule()).all) all.push_back(number);
        return all;
    }
    decision operator()(progress const& p) {
        auto const a_is_later = b_.stopped();
        auto const a = a_(p), b = b_(p);
        if (All) return {a.stop && b.stop, a_is_later ? a.reason : b.reason};
        auto const first = a.stop ? a : b;
        if (!first.stop || first.reason != stop_reason::time_budget) return first;
        auto const reached = at_end(p);
        return reached.stop ? reached : first;
    }
    decision at_end(progress const& p) const {
        auto const a = a_.at_end(p), b = b_.at_end(p);
        if (All) return {a.stop && b.stop, b_.stopped() ? a.reason : b.reason};
        return a.stop && a.reason != stop_reason::time_budget ? a : b;
    }

private:
    scheduled_rule<A> a_;
    scheduled_rule<B> b_;
};

} // namespace detail

/// Stop after a fixed number of samples.
struct samples {
    std::size_t count; // number of samples

    static constexpr bool uniform = true;
    constexpr std::size_t next(std::size_t n) const { return n < count ? count - n : 0; }
    decision operator()(progress const& p) const { return {p.samples >= count, stop_reason::samples}; }
    std::array<double, 1> parameters() const { return {static_cast<double>(count)}; }
};

namespace detail {

/// Returns the time budget of `rule`. Throws std::invalid_argument for a negative one, which one sample would end
/// without a word, for infinity, which never ends, and for a NaN.
constexpr seconds require_budget(seconds budget, char const* rule) {
    if (!is_finite(budget.count()) || budget < seconds{})
        throw std::invalid_argument{std::string{rule} +
                                    ": the budget must be a finite number of seconds of at least 0"};
    return budget;
}

} // namespace detail

/// Stop after a time on rank 0's clock, counted from the first sample. Evaluated each time the series has grown by a
/// quarter and one sample, so that samples of constant duration overrun the budget by that much at most.
struct time_budget {
    seconds limit; // from the first sample

    /// Throws std::invalid_argument for a budget that is negative or not finite.
    constexpr explicit time_budget(seconds budget = {}) : limit{detail::require_budget(budget, "sonde::time_budget")} {}

    std::size_t next(std::size_t n) const { return n / 4 + 1; }
    decision operator()(progress const& p) const { return {!(p.elapsed < limit), stop_reason::time_budget}; }
    std::array<double, 1> parameters() const { return {limit.count()}; }
};

/// a || b: stops when one of the rules stops. The operator is found if one of the rules is a type of namespace sonde;
/// otherwise write `any_of{a, b}`.
template <StoppingRule A, StoppingRule B>
struct any_of : detail::two_rules<false, A, B> {
    using any_of::two_rules::two_rules;
};
template <StoppingRule A, StoppingRule B>
any_of(A, B) -> any_of<A, B>;

/// a && b: stops when both rules have stopped. It has the reason of the later rule, or of b if both stop at once. For
/// two rules outside namespace sonde, write `all_of{a, b}`.
template <StoppingRule A, StoppingRule B>
struct all_of : detail::two_rules<true, A, B> {
    using all_of::two_rules::two_rules;
};
template <StoppingRule A, StoppingRule B>
all_of(A, B) -> all_of<A, B>;

/// Stop when one of two rules says so.
template <StoppingRule A, StoppingRule B>
[[nodiscard]] any_of<A, B> operator||(A a, B b) {
    return {std::move(a), std::move(b)};
}

/// Stop when both rules say so.
template <StoppingRule A, StoppingRule B>
[[nodiscard]] all_of<A, B> operator&&(A a, B b) {
    return {std::move(a), std::move(b)};
}

// If one side is not a rule, the compiler's message says so.

template <class A, class B>
    requires(StoppingRule<A> != StoppingRule<B>)
SONDE_REFUSE("both sides of || and && must be a sonde::StoppingRule: make a sonde::time_budget{t} of a time, a "
             "sonde::samples{n} of a number",
             operator||(A, B));

template <class A, class B>
    requires(StoppingRule<A> != StoppingRule<B>)
SONDE_REFUSE("both sides of || and && must be a sonde::StoppingRule: make a sonde::time_budget{t} of a time, a "
             "sonde::samples{n} of a number",
             operator&&(A, B));

} // namespace sonde

#include <sonde/detail/hooks.inc>
#include <sonde/detail/refuse.inc>
