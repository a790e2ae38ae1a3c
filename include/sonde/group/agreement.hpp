// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/error.hpp>
#include <sonde/group.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

// A collective function calls what may throw on one rank by `attempt`, and agrees with the other ranks by a reduction,
// its own or one that takes place anyway: all ranks throw, so that no rank waits for a rank that has thrown.

namespace sonde::inline v0_1::detail {

/// Call f. Keeps an exception in `failure` unless it has one already.
[[gnu::always_inline]] inline void attempt(std::exception_ptr& failure, auto f) { // in timed loops, too
    try {
        f();
    } catch (...) {
        if (!failure) failure = std::current_exception();
    }
}

/// The exception of ranks without a failure, by default.
struct other_rank {
    other_rank_error operator()(int first) const { return other_rank_error{first}; }
};

/// This rank's part of a max reduction that finds the first rank with a failure; `no_value` without a failure.
double failure_of(Group auto& group, std::exception_ptr const& failure) { return failure ? -group.rank() : no_value; }

/// Throws on all ranks if `largest`, the maximum of `failure_of` over ranks, is the value of a rank: the failure on a
/// rank that has one, and `of_others(first rank with a failure)` on the others. All ranks call `of_others`, which may
/// communicate.
void throw_failure(double largest, std::exception_ptr const& failure, auto of_others) {
    if (largest == no_value) return;
    auto const elsewhere = of_others(static_cast<int>(-largest));
    if (failure) std::rethrow_exception(failure);
    throw elsewhere;
}

/// Throws on all ranks if there is a failure on a rank. Collective over the group; one reduction.
template <class Others = other_rank>
void throw_on_all(Group auto& group, std::exception_ptr const& failure, Others of_others = {}) {
    std::array<double, 1> largest{detail::failure_of(group, failure)};
    group.all_reduce(largest, reduction::max);
    detail::throw_failure(largest[0], failure, of_others);
}

/// For each value, true if it differs between ranks that have one (`no_value`); equal on all ranks. Throws on all ranks
/// if there is a failure on a rank. Collective over the group; one reduction.
template <Group G, std::size_t N, class Others = other_rank>
std::array<bool, N> differences(G& group, std::array<double, N> const& values, std::exception_ptr const& failure = {},
                                Others of_others = {}) {
    std::array<double, 2 * N + 1> extremes{};
    for (std::size_t i = 0; i != N; ++i) {
        extremes[2 * i] = values[i];
        extremes[2 * i + 1] = values[i] == no_value ? no_value : -values[i];
    }
    extremes.back() = detail::failure_of(group, failure);
    group.all_reduce(extremes, reduction::max);
    detail::throw_failure(extremes.back(), failure, of_others);
    std::array<bool, N> differ{};
    for (std::size_t i = 0; i != N; ++i)
        differ[i] = extremes[2 * i] != no_value && extremes[2 * i] != -extremes[2 * i + 1];
    return differ;
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

/// Returns f(), which may throw on some ranks and must not communicate. If it throws on a rank, all ranks throw, so
/// that none waits for a rank that has thrown: its exception on that rank, and on the other ranks `of_others(rank)`, by
/// default `other_rank_error`, with the first rank that threw. All ranks call `of_others` then, so it may communicate.
/// Collective over the group; one reduction.
template <Group G, std::invocable F, std::invocable<int> Others = detail::other_rank>
std::invoke_result_t<F&> collectively(G& group, F f, Others of_others = {}) {
    std::exception_ptr failure;
    if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
        detail::attempt(failure, [&] { f(); });
        detail::throw_on_all(group, failure, std::move(of_others));
    } else {
        std::optional<std::invoke_result_t<F&>> result;
        detail::attempt(failure, [&] { result.emplace(f()); });
        detail::throw_on_all(group, failure, std::move(of_others));
        return std::move(*result);
    }
}

} // namespace sonde

namespace sonde::inline v0_1::detail {

/// Returns f(pattern) of the pattern that `make` returns. If `make` throws on a rank, all ranks throw. Collective over
/// the group; one reduction, apart from f.
template <class Make>
auto with_made(Group auto& group, Make&& make, auto f) {
    using pattern_type = decltype(make());
    struct holder {
        pattern_type pattern;
    };
    struct maker {
        Make& make;
        operator holder() const { return {make()}; } // in place, since a pattern need not be movable
    };
    std::optional<holder> made;
    sonde::collectively(group, [&] { made.emplace(maker{make}); });
    return f(made->pattern);
}

} // namespace sonde::detail
