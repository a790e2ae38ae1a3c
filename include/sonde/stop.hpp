// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace sonde {

/// Why a series ended.
enum class stop_reason : unsigned char { none, samples, time_budget, precision, noise_floor, other, unreachable };

inline char const* name(stop_reason why) {
    constexpr char const* names[] = {"none",        "samples", "time_budget", "precision",
                                     "noise_floor", "other",   "unreachable"};
    return names[static_cast<unsigned char>(why)];
}

/// What a rule is shown: the block of samples since its own last look, each the slowest rank's, and rank 0's time since
/// the first of all samples began (0 for a uniform rule).
struct look {
    std::span<seconds const> block;
    seconds elapsed{};
    std::span<seconds const> series{}; // all samples that the record holds, the block among them
    std::size_t samples = 0;           // all so far: more than the series, once the record is full
    seconds resolution{};              // what the clock cannot tell apart in a sample
};

struct verdict {
    bool stop = false;
    stop_reason why = stop_reason::none;
};

/// When to stop.
///
///     rule.next(n)       samples to take until the next look, after n; at n = 0 at least 1
///     rule(look)         -> verdict; rank 0's rule decides, unless it is uniform, and its answer is shared once a look
///     rule.uniform       optional bool: the answers follow from `look::samples` alone, so that ranks agree without
///                        talking; their schedules are compared before the first sample
///     rule.parameters()  optional: the numbers (a range of double) by which two rules of this type differ; const; a
///                        run throws where ranks have different ones
template <class R>
concept StoppingRule = requires(R& rule, R const& before, std::size_t n, look const& l) {
    { before.next(n) } -> std::convertible_to<std::size_t>;
    { rule(l) } -> std::convertible_to<verdict>;
};

template <StoppingRule R>
[[nodiscard]] constexpr bool is_uniform(R const& rule) {
    if constexpr (requires {
                      { rule.uniform } -> std::convertible_to<bool>;
                  })
        return rule.uniform;
    else return false;
}

namespace detail {

/// Samples to take before a rule looks that asked for `asked`: one at least, and no more than a fixed memory holds.
constexpr std::size_t size_of_block(std::size_t asked) {
    constexpr std::size_t most = std::size_t{1} << 16;
    return asked == 0 ? 1 : asked < most ? asked : most;
}

/// The numbers that a rule says it was made with; none where it says nothing. See `StoppingRule`.
template <StoppingRule R>
std::vector<double> parameters_of(R const& rule) {
    static_assert(
        requires { rule.parameters(); } || !requires(R& r) { r.parameters(); }, "parameters() must be const");
    std::vector<double> all;
    if constexpr (requires { rule.parameters(); })
        for (double const number : rule.parameters()) all.push_back(number);
    return all;
}

/// One rule of a combination. It looks when it asked to, at all samples since its last look, whatever others ask for.
template <StoppingRule R>
class own_looks {
public:
    constexpr explicit own_looks(R rule) : rule_{std::move(rule)}, due_{size_of_block(rule_.next(0))} {}

    R const& rule() const { return rule_; }
    std::size_t next(std::size_t n) const { return n == 0 ? rule_.next(0) : due_ > n ? due_ - n : 1; }
    /// What the rule says, where it is due; else "go on".
    verdict operator()(look const& l) {
        if (l.samples < due_ || !gathered_.empty()) gathered_.insert(gathered_.end(), l.block.begin(), l.block.end());
        if (l.samples < due_) return {};
        auto own = l;
        if (!gathered_.empty()) own.block = {gathered_.data(), gathered_.size()};
        auto const said = rule_(own);
        gathered_.clear();
        due_ = l.samples + size_of_block(rule_.next(l.samples));
        return said;
    }

private:
    R rule_;
    std::size_t due_; // samples at its next look
    std::vector<seconds> gathered_;
};

} // namespace detail

/// A number of samples.
struct samples {
    std::size_t count;

    static constexpr bool uniform = true;
    constexpr std::size_t next(std::size_t n) const { return n < count ? count - n : 0; }
    verdict operator()(look const& l) const { return {l.samples >= count, stop_reason::samples}; }
    std::array<double, 1> parameters() const { return {static_cast<double>(count)}; }
};

/// A time on rank 0's clock, from the first sample on. Looks as the series grows by a quarter and a sample, so that
/// steady samples overrun the budget by that much at most.
struct time_budget {
    seconds limit;

    std::size_t next(std::size_t n) const { return n / 4 + 1; }
    verdict operator()(look const& l) const { return {!(l.elapsed < limit), stop_reason::time_budget}; }
    std::array<double, 1> parameters() const { return {limit.count()}; }
};

namespace detail {

/// What combinations of two rules share.
template <StoppingRule A, StoppingRule B>
class two_rules {
public:
    bool uniform;

    constexpr two_rules(A a, B b)
        : uniform{sonde::is_uniform(a) && sonde::is_uniform(b)}, a_{std::move(a)}, b_{std::move(b)} {}

    std::vector<double> parameters() const {
        auto all = detail::parameters_of(a_.rule());
        for (double const number : detail::parameters_of(b_.rule())) all.push_back(number);
        return all;
    }

protected:
    std::size_t next_of_either(std::size_t n) const {
        auto const x = a_.next(n), y = b_.next(n);
        return x < y ? x : y;
    }

    own_looks<A> a_;
    own_looks<B> b_;
};

} // namespace detail

/// a || b: stops when one of them does.
template <StoppingRule A, StoppingRule B>
class either : public detail::two_rules<A, B> {
public:
    using detail::two_rules<A, B>::two_rules;

    std::size_t next(std::size_t n) const { return this->next_of_either(n); }
    verdict operator()(look const& l) {
        auto const first = this->a_(l), second = this->b_(l);
        return first.stop ? first : second;
    }
};

/// a && b: stops when both have; the reason is that of the later, of b when both come at once. One that has stopped is
/// not asked again.
template <StoppingRule A, StoppingRule B>
class both : public detail::two_rules<A, B> {
public:
    using detail::two_rules<A, B>::two_rules;

    std::size_t next(std::size_t n) const {
        if (a_done_) return this->b_.next(n);
        if (b_done_) return this->a_.next(n);
        return this->next_of_either(n);
    }
    verdict operator()(look const& l) {
        auto why = stop_reason::none;
        auto const ask = [&](auto& rule, bool& done) {
            if (done) return;
            auto const said = rule(l);
            done = said.stop;
            why = said.why;
        };
        ask(this->a_, a_done_);
        ask(this->b_, b_done_);
        return {a_done_ && b_done_, why};
    }

private:
    bool a_done_ = false;
    bool b_done_ = false;
};

template <StoppingRule A, StoppingRule B>
[[nodiscard]] either<A, B> operator||(A a, B b) {
    return {std::move(a), std::move(b)};
}

template <StoppingRule A, StoppingRule B>
[[nodiscard]] both<A, B> operator&&(A a, B b) {
    return {std::move(a), std::move(b)};
}

} // namespace sonde
