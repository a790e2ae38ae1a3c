// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "choice.hpp"
#include "compare.hpp"
#include "yardstick.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>

namespace tasks {

inline char const* name(way taken) { return taken == way::server ? server::name : shared_counter::name; }

namespace detail {

/// "1.03 to 1.08", or "-" if there are too few samples for an interval.
template <class Interval, class Value>
std::string text_of(Interval const& between, Value value) {
    if (!between) return "-";
    char text[48];
    std::snprintf(text, sizeof text, "%.2f to %.2f", value(between->low), value(between->high));
    return text;
}

inline void print_title(char const* what, char const* unit) {
    std::printf("\n%-40s%8s %9s %s  %-17s%9s  %-14s%s\n", what, "workers", "median", unit, "95 % interval", "speed-up",
                "95 % interval", "verdict");
}

/// A line of a table; the last argument is the number of units in a second.
inline void print_line(char const* name, int workers, sonde::comparison const& all, std::size_t i, double per_second) {
    auto const time = [&](sonde::seconds t) { return t.count() * per_second; };
    auto const as_is = [](double factor) { return factor; };
    auto const& r = all.records[i];
    std::printf("  %-38s%8d %12.2f  %-17s%9.2f  %-14s%s\n", name, workers, time(sonde::median(r)),
                text_of(sonde::median_interval(r), time).c_str(), sonde::speedup(all, i),
                text_of(sonde::speedup_interval(all, i), as_is).c_str(),
                i == 0 ? "(base)" : sonde::outcome_text(all, i).c_str());
}

} // namespace detail

inline void print(picture const& of, int ranks) {
    std::printf("%lld pixels of the Mandelbrot set in %lld tasks of %d, %d %s\n", static_cast<long long>(of.pixels()),
                static_cast<long long>(of.tasks()), of.block, ranks, ranks == 1 ? "rank" : "ranks");
}

inline void print(reference const& alone, picture const& of) {
    auto const& costs = alone.done.iterations();
    auto const [least, most] = std::minmax_element(costs.begin(), costs.end());
    std::printf("rank 0 alone: %.4f s, %.2f us a task; %lld to %lld iterations a task, %lld on average\n",
                alone.seconds, alone.seconds * 1e6 / static_cast<double>(of.tasks()), static_cast<long long>(*least),
                static_cast<long long>(*most), static_cast<long long>(alone.average));
}

/// Print the measurements and the forecasts.
inline void print(measurements const& found, sonde::comparison const& jobs, way taken) {
    auto const [counting, asking] = found.rounds.workers;
    auto const us = 1e6, ms = 1e3;
    std::printf(
        "\ntwo ways to get numbers, with all workers at it at once; times of the slowest worker, in %zu rounds of "
        "each\n",
        found.rounds.compared.records[0].series.size());
    detail::print_title("a number", "us");
    detail::print_line(shared_counter::name, counting, found.numbers, 0, us);
    detail::print_line(yardstick::name, counting, found.numbers, 1, us);
    detail::print_line(server::name, asking, found.numbers, 2, us);
    detail::print_title("a number, then work of an average task", "us");
    detail::print_line(shared_counter::name, counting, found.rounds.compared, 0, us);
    detail::print_line(server::name, asking, found.rounds.compared, 1, us);
    detail::print_title("that for all tasks", "ms");
    detail::print_line(shared_counter::name, counting, jobs, 0, ms);
    detail::print_line(server::name, asking, jobs, 1, ms);
    std::printf("  without the spread of tasks, and without the tail, in which workers find no task left\n");
    std::printf("  (rank 0 did %lld iterations of work to find out)\n  used from now on: %s\n",
                static_cast<long long>(found.iterations), name(taken));
}

} // namespace tasks
