// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/compare.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tasks {

/// A picture of the Mandelbrot set, cut into tasks of a given number of pixels, row by row. A pixel far away from the
/// set costs one iteration, a pixel in the set `limit` iterations. Tasks are therefore very unequal, and their costs
/// are not known in advance.
struct picture {
    int columns = 1024;
    int rows = 768;
    int limit = 4000;
    int block = 64;

    std::int64_t pixels() const { return std::int64_t{columns} * rows; }
    std::int64_t tasks() const { return (pixels() + block - 1) / block; }
};

/// Sum of the iterations of a task's pixels: a whole number, equal on all ranks.
std::int64_t iterations(picture const& of, std::int64_t task);

/// Work that takes as long as a given number of iterations of a task. Returns their number.
std::int64_t iterate(std::int64_t times);

/// Source of the numbers of tasks: a counter in the memory of rank 0, a server on rank 0, or the better one of these by
/// a measurement.
enum class way { measured, counter, server };

/// Comparison of rounds with the counter and with the server, and the number of workers with each.
struct round_comparison {
    sonde::comparison compared;
    std::array<int, 2> workers;
};

/// Forecast of the time of the job with each of the two: the number of tasks of the busiest worker times the time of a
/// measured round. It ignores that tasks differ, and that ranks are idle during the last tasks.
inline sonde::comparison forecast_of(round_comparison const& rounds, picture const& of) {
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
