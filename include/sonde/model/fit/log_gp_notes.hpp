// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/log_gp_limits.hpp>
#include <sonde/record.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace sonde::model::detail {

inline void say(std::string& note, std::string const& more) { note += (note.empty() ? "" : "; ") + more; }

inline std::string text_of(bytes size) { return sonde::detail::text_of(size.count()) + " B"; }

/// In microseconds, with four digits.
inline std::string text_of(seconds t) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.4g", 1e6 * t.count());
    return sonde::detail::text_of(std::strtod(digits, nullptr)) + " us";
}

inline std::string sizes(std::size_t n) { return std::to_string(n) + (n == 1 ? " size" : " sizes"); }

/// Where a processor limits the interval, and not the network.
inline void note_limits(segment_fit const& fit, std::string& note) {
    auto const smallest = fit.smallest().size;
    if (!fit.network_limits)
        say(note, text_of(smallest) + " to " + text_of(fit.points.back().size) +
                      ": messages follow each other by the " + fit.busier(smallest) +
                      "'s overhead, so g and G are at most so large");
    if (fit.first != 0)
        say(note, "below " + text_of(fit.points[fit.first].size) + " messages follow each other by the " +
                      fit.busier(smallest) + "'s overhead: g and G are of larger ones");
}

inline void note_waits(segment_fit const& fit, std::string& note) {
    if (auto const n = fit.waits_too_short(); n != 0)
        say(note, "the wait was shorter than the interval at " + sizes(n) + ", so o_s and o_r are at most so large");
}

inline void note_latency(segment_fit const& fit, std::string const& why, std::string& note) {
    auto const& p = fit.smallest();
    say(note, why + "; half of PRTT(1, 0, s) at " + text_of(p.size) + ", " + text_of(p.one / 2) +
                  ", contains L and both overheads");
}

inline void note_outliers(round_trip_points const& left_out, std::string& note) {
    constexpr std::size_t told = 4;
    if (left_out.empty()) return;
    auto words = sizes(left_out.size()) + " far above those beside left out: ";
    for (std::size_t i = 0; i != std::min(told, left_out.size()); ++i)
        words += (i == 0 ? "" : ", ") + text_of(left_out[i].size);
    say(note, words + (left_out.size() > told ? ", .." : ""));
}

} // namespace sonde::model::detail
