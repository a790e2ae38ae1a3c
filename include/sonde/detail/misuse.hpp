// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace sonde::inline v0_1::detail {

/// A result of a hook that may have any type but void.
struct any {
    template <class T>
    any(T&&) {}
};

/// A range of numbers that convert to double.
struct numbers {
    std::vector<double> all;

    numbers() = default;
    template <class R>
        requires requires(R const& range) { static_cast<double>(*range.begin()); }
    numbers(R const& range) {
        for (double const number : range) all.push_back(number);
    }
};

/// The result of a call is what a hook must return: any if R is void, or a type that converts to R. A text may also be
/// a type from which it is constructed.
template <class Given, class R>
concept gives = std::is_void_v<R> || std::convertible_to<Given, R> ||
                (std::is_class_v<R> && !std::is_aggregate_v<R> && std::constructible_from<R, Given>);

/// The first base class of an adaptor's hooks, of which each adaptor has its own.
template <class Self>
struct no_hooks {};

/// A text as an argument of a template.
template <std::size_t N>
struct text {
    char characters[N]{};
    constexpr text(char const (&all)[N]) {
        for (std::size_t i = 0; i != N; ++i) characters[i] = all[i];
    }
};

/// Type in the declaration of a function that cannot be called, so that a compiler's message about the function has the
/// reason.
template <text Why>
struct refused {};

} // namespace sonde::detail
