// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"
#include "picture.hpp"

#include <sonde/measure/compare.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace tasks {

/// The counter and then the server, compared; and how many work with each.
struct both_ways {
    sonde::comparison compared;
    std::array<int, 2> workers;
};

/// What the job would take by each: as many rounds as the busiest worker has tasks, each as long as a measured one.
/// That tasks differ, and that the last ones end alone, is not in it.
inline sonde::comparison forecast_of(both_ways const& rounds, picture const& of) {
    auto jobs = rounds.compared;
    for (std::size_t i = 0; i != jobs.records.size(); ++i) {
        auto const busiest = std::ceil(static_cast<double>(of.tasks()) / rounds.workers[i]);
        for (auto& t : jobs.records[i].series) t *= busiest;
    }
    return jobs;
}

/// The way to go on with, by a forecast: the counter, which needs no server, unless that is faster. Equal on all ranks,
/// as comparisons are: each decides alone, and none waits for another.
inline way choose(sonde::comparison const& jobs) { return sonde::fastest(jobs) == 0 ? way::counter : way::server; }

} // namespace tasks
