// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <concepts>

// libstdc++ 12 and later keep duration and the clocks apart from the calendar and its streams, which a measuring loop
// does not need and which cost every including file 0.1 s of compile time. Which library it is, <concepts> has told.
#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE >= 12 && __has_include(<bits/chrono.h>)
#include <bits/chrono.h>
#else
#include <chrono>
#endif

namespace sonde {

/// Every time in the library: a double count of seconds.
using seconds = std::chrono::duration<double>;

/// Something that tells time.
///
///     c.now() - c.now()    converts to seconds
///
/// `now` is called on an instance, so that a clock may have state and time may be virtual.
template <class C>
concept Clock = requires(C& c) {
    { c.now() - c.now() } -> std::convertible_to<seconds>;
};

using steady_clock = std::chrono::steady_clock;

} // namespace sonde
