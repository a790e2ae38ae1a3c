// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace sonde::inline v0_1::detail {

/// A result of a hook that may have any type but void.
struct any {
    template <class T>
    any(T&&) {}
};

/// The result of a call is what a hook must return: any if R is void, or a type that converts to R. A text may also be
/// a type from which it is constructed.
template <class Given, class R>
concept gives = std::is_void_v<R> || std::convertible_to<Given, R> ||
                (std::is_class_v<R> && !std::is_aggregate_v<R> && std::constructible_from<R, Given>);

/// The first base class of an adaptor's hooks, of which each adaptor has its own.
template <class Self>
struct no_hooks {};

/// Defines `has_NAME<T>`: true if T has a member of this name, even if it is overloaded, a template, or private. If a
/// hook is found by its name but cannot be called, the user has made a mistake. In a class that derives from T and from
/// `member_NAME`, the name is ambiguous if T has it. No class derives from a final class or a union, so in these only a
/// member that is neither overloaded nor a template is found.
#define SONDE_HOOK(name)                                                                                               \
    struct member_##name {                                                                                             \
        int name;                                                                                                      \
    };                                                                                                                 \
    template <class T>                                                                                                 \
    struct beside_##name : T, member_##name {};                                                                        \
    template <class T>                                                                                                 \
    constexpr bool find_##name() {                                                                                     \
        if constexpr (std::is_final_v<T> || std::is_union_v<T>) return requires { &T::name; };                         \
        else if constexpr (std::is_class_v<T>) return !requires { &beside_##name<T>::name; };                          \
        else return false;                                                                                             \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    inline constexpr bool has_##name = find_##name<std::remove_cvref_t<T>>()

SONDE_HOOK(broadcast);
SONDE_HOOK(gather);
SONDE_HOOK(role);
SONDE_HOOK(traffic);
SONDE_HOOK(requirements);
SONDE_HOOK(in_role);
SONDE_HOOK(complete);
SONDE_HOOK(after_warmup);
SONDE_HOOK(after_sample);
SONDE_HOOK(uniform);
SONDE_HOOK(parameters);
SONDE_HOOK(allows_batches);
SONDE_HOOK(describe);
SONDE_HOOK(regions);
SONDE_HOOK(wait_all);
SONDE_HOOK(close_and_open);
SONDE_HOOK(properties);
SONDE_HOOK(on_device);
SONDE_HOOK(runtime);
SONDE_HOOK(allows_threads);
SONDE_HOOK(oversubscribed);
SONDE_HOOK(hold);
SONDE_HOOK(host_name);
SONDE_HOOK(library);
SONDE_HOOK(watchdog);
SONDE_HOOK(global_clock);
SONDE_HOOK(at_end);
#undef SONDE_HOOK

/// True for a type whose `complete` is deleted on purpose: `without_completion`.
template <class T>
inline constexpr bool removes_completion = false;

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
