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

/// Type that a function has which cannot be called, so that the message of a compiler that names the function has the
/// reason.
template <text Why>
struct refused {};

} // namespace sonde::detail

/// Declares a function that cannot be called, for arguments that are a mistake: a call of it is an error whose first
/// line has the reason, and code that asks whether there is such a call gets the answer no. clang++ shows no type of a
/// deleted function, g++ does not answer for one that is unavailable.
///
/// The second one declares a constructor, of these parameters. A constructor has no type of a result, so a parameter
/// has the reason. A deduction guide cannot be deleted: the guide for wrong arguments leads to a class with such a
/// constructor.
#ifdef __clang__
#define SONDE_REFUSE(why, ...) __attribute__((unavailable(why))) void __VA_ARGS__
#define SONDE_REFUSE_CONSTRUCTOR(why, name, ...) __attribute__((unavailable(why))) name(__VA_ARGS__)
#else
#define SONDE_REFUSE(why, ...) ::sonde::detail::refused<why> __VA_ARGS__ = delete
#define SONDE_REFUSE_CONSTRUCTOR(why, name, ...) name(__VA_ARGS__, ::sonde::detail::refused<why>* = nullptr) = delete
#endif
