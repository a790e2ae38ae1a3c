// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <utility>

namespace sonde {

/// Why a series ended.
enum class stop_reason : unsigned char { none, samples, time_budget, precision, noise_floor, other };

[[nodiscard]] inline char const* name(stop_reason why) {
    constexpr char const* names[] = {"none", "samples", "time_budget", "precision", "noise_floor", "other"};
    return names[static_cast<unsigned char>(why)];
}

/// What a rule is shown: the block of samples since its last look, each the slowest rank's, and rank 0's time since the
/// first of all samples began (0 for a uniform rule).
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
///     rule(look)         -> verdict
///     rule.uniform       optional bool, equal on all ranks: the answers follow from the number of samples alone, so
///                        that ranks agree without talking; else rank 0's answers count, shared once a look
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

/// A number of samples.
struct samples {
    std::size_t count;
    std::size_t seen = 0;

    static constexpr bool uniform = true;
    std::size_t next(std::size_t n) const { return n < count ? count - n : 0; }
    verdict operator()(look const& l) {
        seen += l.block.size();
        return {seen >= count, stop_reason::samples};
    }
};

/// A time on rank 0's clock, from the first sample on. Looks as the series grows by a quarter and a sample, so that
/// steady samples overrun the budget by that much at most.
struct time_budget {
    seconds limit;

    std::size_t next(std::size_t n) const { return n / 4 + 1; }
    verdict operator()(look const& l) const { return {!(l.elapsed < limit), stop_reason::time_budget}; }
};

/// a || b: stops when one of them does.
template <StoppingRule A, StoppingRule B>
struct either {
    A a;
    B b;

    bool uniform = sonde::is_uniform(a) && sonde::is_uniform(b);
    std::size_t next(std::size_t n) const {
        auto const x = a.next(n), y = b.next(n);
        return x < y ? x : y;
    }
    verdict operator()(look const& l) {
        auto const first = a(l), second = b(l);
        return first.stop ? first : second;
    }
};

/// a && b: stops when both have; the reason is that of the later, of b when both come at once.
template <StoppingRule A, StoppingRule B>
struct both {
    A a;
    B b;
    bool a_done = false;
    bool b_done = false;

    bool uniform = sonde::is_uniform(a) && sonde::is_uniform(b);
    std::size_t next(std::size_t n) const {
        if (a_done) return b.next(n);
        if (b_done) return a.next(n);
        auto const x = a.next(n), y = b.next(n);
        return x < y ? x : y;
    }
    verdict operator()(look const& l) {
        auto const first = a(l), second = b(l);
        auto const last = b_done ? first : second;
        a_done = a_done || first.stop;
        b_done = b_done || second.stop;
        return {a_done && b_done, last.why};
    }
};

template <StoppingRule A, StoppingRule B>
either<A, B> operator||(A a, B b) {
    return {std::move(a), std::move(b)};
}

template <StoppingRule A, StoppingRule B>
both<A, B> operator&&(A a, B b) {
    return {std::move(a), std::move(b)};
}

} // namespace sonde
