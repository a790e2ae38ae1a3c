// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <type_traits>

namespace sonde::detail {

/// Defines `has_NAME<T>`: T has a member of this name, whatever its type, also overloaded, a template, or private. A
/// hook that is found by its name and not by its call is a mistake of the user. A class that derives from T and from
/// `member_NAME` makes the name ambiguous if T has it. A class cannot derive from a final class or a union: only a
/// member that is neither overloaded nor a template is found there.
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
SONDE_HOOK(in_role);
SONDE_HOOK(complete);
SONDE_HOOK(after_warmup);
SONDE_HOOK(after_sample);
SONDE_HOOK(uniform);
SONDE_HOOK(parameters);
SONDE_HOOK(allows_batches);
SONDE_HOOK(describe);
SONDE_HOOK(regions);
SONDE_HOOK(reserve);
SONDE_HOOK(peers);
SONDE_HOOK(properties);
SONDE_HOOK(on_device);
SONDE_HOOK(runtime);
#undef SONDE_HOOK

/// True for a type whose `complete` is deleted on purpose: `without_completion`.
template <class T>
inline constexpr bool removes_completion = false;

} // namespace sonde::detail
