// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "compare.hpp"
#include "options.hpp"

#include <sonde/sonde.hpp>

#include <cmath>

namespace tasks {

/// What the job would take: rounds of a worker, times the median of one. The interval is that of the median; that
/// tasks differ, and that the last ones end alone, is not in it.
struct forecast {
    sonde::seconds typical;
    sonde::interval between;
};

inline forecast forecast_of(measured_way const& m, picture const& of) {
    auto const rounds = std::ceil(static_cast<double>(of.tasks()) / m.workers);
    auto const one = sonde::median_interval(m.round).value(); // there are samples enough for one
    return {rounds * sonde::typical(m.round), {rounds * one.low, rounds * one.high}};
}

/// Way to go on with. Undecided where the intervals overlap: then it is the counter, which needs no server.
struct choice {
    forecast counter;
    forecast server;
    bool decided;
    way taken;
};

/// Equal on all ranks, as records are: each decides alone, and none waits for another.
inline choice choose(comparison const& found, picture const& of) {
    auto const counter = forecast_of(found.counter, of), server = forecast_of(found.server, of);
    auto const counter_wins = counter.between.high < server.between.low;
    auto const server_wins = server.between.high < counter.between.low;
    return {counter, server, counter_wins || server_wins, server_wins ? way::server : way::counter};
}

} // namespace tasks
