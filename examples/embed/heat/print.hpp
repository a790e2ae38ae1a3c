// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tune.hpp"

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace heat {

namespace detail {

/// "1.03 to 1.08", and "-" where there is no interval.
template <class Interval, class Value>
std::string text_of(Interval const& between, Value value) {
    if (!between) return "-";
    char text[48];
    std::snprintf(text, sizeof text, "%.2f to %.2f", value(between->low), value(between->high));
    return text;
}

inline double microseconds(sonde::seconds t) { return t.count() * 1e6; }

inline void print_times(char const* name, sonde::record const& r, sonde::record const& yardstick) {
    std::printf("  %-31s%9.2f  %-18s", name, microseconds(sonde::typical(r)),
                text_of(sonde::median_interval(r), microseconds).c_str());
    if (r.total.bytes > 0)
        std::printf("%7.3f%10.0f %%", sonde::bandwidth(r) / 1e9,
                    100 * sonde::bandwidth(r) / sonde::bandwidth(yardstick));
    else std::printf("%7s%12s", "-", "-");
}

inline void print_verdict(sonde::comparison const& ways, std::size_t i) {
    auto const as_is = [](double factor) { return factor; };
    std::printf("%9.2f  %-14s%s\n", sonde::speedup(ways, i), text_of(sonde::speedup_interval(ways, i), as_is).c_str(),
                i == 0 ? "(base)" : sonde::name(sonde::judge(ways, i)));
}

} // namespace detail

/// The measurements, a line a way.
inline void print(tuning const& t, std::vector<any_halo> const& ways) {
    auto const& yardstick = t.yardstick;
    std::printf("\nhalo exchange on the fields of this run: %zu bytes in %zu messages; %zu rounds\n",
                yardstick.total.bytes, yardstick.total.messages, yardstick.stopped.samples);
    std::printf("  %-31s%9s  %-18s%7s%12s%9s  %-14s%s\n", "way", "median us", "95 % interval", "GB/s", "efficiency",
                "speed-up", "95 % interval", "verdict");
    for (std::size_t i = 0; i != ways.size(); ++i) {
        detail::print_times(name(ways[i]), t.ways.records[i], yardstick);
        detail::print_verdict(t.ways, i);
    }
    detail::print_times(heat::yardstick::name, yardstick, yardstick);
    std::printf("\n  going on with: %s\n\n", name(ways[t.fastest]));
}

} // namespace heat
