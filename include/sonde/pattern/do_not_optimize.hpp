// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <type_traits>

// Patterns that compute: a compiler removes a computation whose result is not used, such as a sum over received values
// or a copy into a buffer that no call reads, and the time is then of an empty loop. Communication calls are never
// removed. The names and meanings are those of Google Benchmark (DoNotOptimize, ClobberMemory).

namespace sonde::inline v0_1 {

namespace detail {

/// True for values that are in a general register; others are in memory, floating-point numbers included. An asm with
/// both alternatives ("+m,r") is wrong code for a double by g++ 12.
template <class T>
inline constexpr bool fits_register =
    (std::is_integral_v<T> || std::is_pointer_v<T> || std::is_enum_v<T>)&&sizeof(T) <= sizeof(void*);

} // namespace detail

/// Makes the compiler compute `value`, and all stores to memory before: `do_not_optimize(sum)`. A variable counts as
/// read and changed, a constant or a temporary as read. Costs no instruction, except that a value may move between a
/// register and memory.
template <class T>
[[gnu::always_inline]] inline void do_not_optimize(T const& value) {
    if constexpr (detail::fits_register<T>) asm volatile("" : : "r"(value) : "memory");
    else asm volatile("" : : "m"(value) : "memory");
}
/// The same for a value that may be changed afterwards.
template <class T>
[[gnu::always_inline]] inline void do_not_optimize(T& value) {
    if constexpr (detail::fits_register<T>) asm volatile("" : "+r"(value) : : "memory");
    else asm volatile("" : "+m"(value) : : "memory");
}

/// Makes the compiler store all values to memory that other code can reach, and load them again afterwards, so that
/// repeated stores to the same buffer are all made. Costs no other instruction.
[[gnu::always_inline]] inline void clobber_memory() { asm volatile("" : : : "memory"); }

} // namespace sonde
