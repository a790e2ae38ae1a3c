// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/pattern.hpp>

#include <cstddef>
#include <type_traits>

namespace sonde::inline v0_1 {

template <Clock C>
class pattern_ref;

namespace detail {

template <class P>
inline constexpr bool is_pattern_ref = false;
template <Clock C>
inline constexpr bool is_pattern_ref<pattern_ref<C>> = true;

/// Two readings of a clock; converts to the elapsed time.
template <class Reading>
struct time_span {
    Reading begin;
    Reading end;
    operator seconds() const { return end - begin; }
};

/// Time n iterations of a pattern. `run` and `compare` time every sample by this function. It is not inlined, so that
/// a pattern runs the same machine code, with the same registers, wherever it is measured. The times of copies of a
/// short loop at different addresses can differ by a factor of two.
template <Pattern P>
    requires(!is_pattern_ref<std::remove_const_t<P>>)
[[gnu::noinline]] auto time_batch(Clock auto& clock, P& pattern, std::size_t n) {
    auto const begin = clock.now();
    sonde::in_role(pattern, [n](auto&& iteration) {
        for (std::size_t i = 0; i != n; ++i) iteration();
    });
    sonde::complete(pattern);
    auto const end = clock.now();
    return time_span<decltype(clock.now())>{begin, end};
}

} // namespace detail

} // namespace sonde
