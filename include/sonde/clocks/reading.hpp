// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

namespace sonde {

/// An instant of a clock as seconds since the clock's epoch; a clock whose instants are durations counts from its own.
///
/// A double near 1e6 s, where a steady clock is after eleven days, tells 0.1 ns apart; near 3e7 s, a year, 4 ns.
template <class Instant>
[[nodiscard]] seconds since_epoch(Instant t) {
    if constexpr (requires { t.time_since_epoch(); }) return seconds{t.time_since_epoch()};
    else return seconds{t};
}

/// What a clock shows now, as seconds since its epoch.
template <Clock C>
[[nodiscard]] seconds reading(C& clock) {
    return sonde::since_epoch(clock.now());
}

} // namespace sonde
