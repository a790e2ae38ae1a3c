// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"
#include "picture.hpp"

#include <sonde/measure/compare.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace tasks {

/// Comparison of the counter and the server, and the number of workers with each.
struct both_ways {
    sonde::comparison compared;
    std::array<int, 2> workers;
};

/// Forecast of the time of the job for each: the number of tasks of the busiest worker times the time of a measured
/// round. It ignores that tasks differ, and that ranks are idle during the last tasks.
inline sonde::comparison forecast_of(both_ways const& rounds, picture const& of) {
    auto jobs = rounds.compared;
    for (std::size_t i = 0; i != jobs.records.size(); ++i) {
        auto const busiest = std::ceil(static_cast<double>(of.tasks()) / rounds.workers[i]);
        for (auto& t : jobs.records[i].series) t *= busiest;
    }
    return jobs;
}

/// The way to continue with, by a forecast: the counter, which needs no server rank, unless the server is faster. Equal
/// on all ranks without communication, because comparisons are equal on all ranks.
inline way choose(sonde::comparison const& jobs) { return sonde::fastest(jobs) == 0 ? way::counter : way::server; }

} // namespace tasks
