// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstddef>

namespace sonde::detail {

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

/// Declares a function for wrong arguments, which cannot be called. A call is an error whose first line has the reason,
/// and a requires expression that contains the call is false. Compilers need different declarations: clang++ does not
/// show the type of a deleted function, and g++ cannot test for an unavailable function in a requires expression.
///
/// SONDE_REFUSE_CONSTRUCTOR declares a constructor with these parameters. A constructor has no result type, so the type
/// of a parameter has the reason. A deduction guide cannot be deleted, so the guide for wrong arguments leads to a
/// class with a refused constructor.
#ifdef __clang__
#define SONDE_REFUSE(why, ...) __attribute__((unavailable(why))) void __VA_ARGS__
#define SONDE_REFUSE_CONSTRUCTOR(why, name, ...) __attribute__((unavailable(why))) name(__VA_ARGS__)
#else
#define SONDE_REFUSE(why, ...) ::sonde::detail::refused<why> __VA_ARGS__ = delete
#define SONDE_REFUSE_CONSTRUCTOR(why, name, ...) name(__VA_ARGS__, ::sonde::detail::refused<why>* = nullptr) = delete
#endif
