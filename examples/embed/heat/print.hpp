// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tune.hpp"

#include <cstdio>
#include <string>

namespace heat {

namespace detail {

inline double microseconds(sonde::seconds t) { return t.count() * 1e6; }

/// The interval of the median in microseconds, "-" where there are too few samples for one.
inline std::string text_of_interval(sonde::record const& r) {
    auto const between = sonde::median_interval(r);
    if (!between) return "-";
    char text[48];
    std::snprintf(text, sizeof text, "%.2f to %.2f", microseconds(between->low), microseconds(between->high));
    return text;
}

inline void print_line(char const* name, sonde::record const& r, sonde::record const& yardstick) {
    std::printf("  %-32s %10.2f  %-20s %8zu", name, microseconds(sonde::typical(r)), text_of_interval(r).c_str(),
                r.series.size());
    if (r.total.bytes > 0)
        std::printf(" %8.3f %7.0f %%\n", sonde::bandwidth(r) / 1e9,
                    100 * sonde::bandwidth(r) / sonde::bandwidth(yardstick));
    else std::printf(" %8s %9s\n", "-", "-");
}

} // namespace detail

/// The measurements, a line a way.
inline void print(tuning const& t, std::vector<any_halo> const& ways) {
    std::printf("\nhalo exchange on the fields of this run: %.0f bytes in %.0f messages\n", t.yardstick.total.bytes,
                t.yardstick.total.messages);
    std::printf("  %-32s %10s  %-20s %8s %8s %9s\n", "way", "median us", "95 % interval", "samples", "GB/s",
                "efficiency");
    for (std::size_t i = 0; i != ways.size(); ++i) detail::print_line(name(ways[i]), t.ways[i], t.yardstick);
    detail::print_line("bidirectional, pair by pair", t.yardstick, t.yardstick);
    std::printf("  going on with: %s\n\n", name(ways[t.fastest]));
}

} // namespace heat
