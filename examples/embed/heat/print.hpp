// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tune.hpp"

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace heat {

namespace detail {

/// "1.03 to 1.08", or "-" without an interval.
template <class Interval, class Value>
std::string text_of(Interval const& interval, Value value) {
    if (!interval) return "-";
    char text[48];
    std::snprintf(text, sizeof text, "%.2f to %.2f", value(interval->low), value(interval->high));
    return text;
}

inline double microseconds(sonde::seconds t) { return t.count() * 1e6; }

inline void print_times(char const* name, sonde::record const& r, sonde::record const& reference) {
    std::printf("  %-31s%9.2f  %-18s", name, microseconds(sonde::median(r)),
                text_of(sonde::median_interval(r), microseconds).c_str());
    if (r.total.bytes > 0)
        std::printf("%7.3f%10.0f %%", sonde::bandwidth(r) / 1e9,
                    100 * sonde::bandwidth(r) / sonde::bandwidth(reference));
    else std::printf("%7s%12s", "-", "-");
}

inline void print_outcome(sonde::comparison const& halos, std::size_t i) {
    auto const as_is = [](double factor) { return factor; };
    std::printf("%9.2f  %-14s%s\n", sonde::speedup(halos, i), text_of(sonde::speedup_interval(halos, i), as_is).c_str(),
                i == 0 ? "(base)" : sonde::outcome_text(halos, i).c_str());
}

} // namespace detail

/// Print a row for each halo exchange and one for the reference.
inline void print(tuning const& t, std::vector<any_halo> const& halos) {
    auto const& reference = t.reference;
    std::printf("\nhalo exchange of this run: %zu bytes in %zu messages; %zu rounds\n", reference.total.bytes,
                reference.total.messages, reference.stop.samples);
    std::printf("  %-31s%9s  %-18s%7s%12s%9s  %-14s%s\n", "exchange", "median us", "95 % interval", "GB/s",
                "efficiency", "speed-up", "95 % interval", "outcome");
    for (std::size_t i = 0; i != halos.size(); ++i) {
        detail::print_times(name(halos[i]), t.halos.records[i], reference);
        detail::print_outcome(t.halos, i);
    }
    detail::print_times(yardstick::name, reference, reference);
    std::printf("\n  used from now on: %s\n\n", name(halos[t.fastest]));
}

} // namespace heat
