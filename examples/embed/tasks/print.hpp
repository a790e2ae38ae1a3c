// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "choice.hpp"
#include "yardstick.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

namespace tasks {

inline char const* name(way taken) { return taken == way::server ? server::name : shared_counter::name; }

namespace detail {

inline void print_title(char const* what, char const* unit, char const* rest = "          samples") {
    std::printf("\n%-41s%8s %9s %s  95 %% interval%s\n", what, "workers", "median", unit, rest);
}

/// An interval, "-" where there are too few samples for one.
inline std::string text_of(std::optional<sonde::interval> between, double per_second) {
    if (!between) return "-";
    char text[48];
    std::snprintf(text, sizeof text, "%.2f to %.2f", between->low.count() * per_second,
                  between->high.count() * per_second);
    return text;
}

inline void print_record(measured_way const& of, char const* name, sonde::record const& r) {
    std::printf("  %-38s %8d %12.2f  %-22s %7zu\n", name, of.workers, sonde::typical(r).count() * 1e6,
                text_of(sonde::median_interval(r), 1e6).c_str(), r.series.size());
}

inline void print_forecast(measured_way const& of, forecast const& job) {
    std::printf("  %-38s %8d %12.2f  %s\n", of.name, of.workers, job.typical.count() * 1e3,
                text_of(job.between, 1e3).c_str());
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

/// The measurements, and what follows from them.
inline void print(comparison const& found, choice const& c) {
    auto const &counter = found.counter, &server = found.server;
    std::printf("\ntwo ways to get numbers, with all workers at it at once; times of the slowest worker\n");
    detail::print_title("a number", "us");
    detail::print_record(counter, counter.name, counter.number);
    detail::print_record(counter, yardstick::name, found.bare);
    detail::print_record(server, server.name, server.number);
    detail::print_title("a number, then work of an average task", "us");
    detail::print_record(counter, counter.name, counter.round);
    detail::print_record(server, server.name, server.round);
    detail::print_title("that for all tasks", "ms", "");
    detail::print_forecast(counter, c.counter);
    detail::print_forecast(server, c.server);
    std::printf("  going on with: %s%s\n", name(c.taken), c.decided ? "" : " (undecided: the intervals overlap)");
}

} // namespace tasks
