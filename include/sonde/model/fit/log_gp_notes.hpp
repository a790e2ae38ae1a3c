// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/log_gp_limits.hpp>
#include <sonde/model/fit/log_gp_parameters.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/record.hpp>

#include <cstddef>
#include <string>

namespace sonde::model::detail {

inline void say(std::string& note, std::string const& more) { note += (note.empty() ? "" : "; ") + more; }

inline std::string text_of(bytes size) { return sonde::detail::text_of(size.count()) + " B"; }

inline std::string sizes(std::size_t n) { return std::to_string(n) + (n == 1 ? " size" : " sizes"); }

/// Where a processor limits the interval, and not the network.
inline void note_limits(segment_fit const& fit, std::string& note) {
    auto const smallest = fit.points.front().size;
    if (!fit.network_limits)
        say(note, text_of(smallest) + " to " + text_of(fit.points.back().size) +
                      ": messages follow each other by the " + fit.busier(smallest) +
                      "'s overhead, so g and G are at most so large");
    if (fit.first != 0)
        say(note, "below " + text_of(fit.points[fit.first].size) + " messages follow each other by the " +
                      fit.busier(smallest) + "'s overhead: g and G are of larger ones");
}

inline void note_of(segment_fit const& fit, parameter const& latency, std::string& note) {
    note_limits(fit, note);
    if (auto const n = waits_too_short(fit); n != 0)
        say(note, "the wait was shorter than the interval at " + sizes(n) + ", so o_s and o_r are at most so large");
    if (latency.stands == standing::determined) return;
    auto const& smallest = fit.points.front();
    say(note, "L is not above 0 for certain at " + text_of(smallest.size) +
                  ": overheads may overlap with the network; half of PRTT(1, 0, s) there, " +
                  sonde::detail::text_of(smallest.one.count() / 2) + " s, contains them");
}

inline void note_outliers(std::size_t n, std::string& note) {
    if (n != 0) say(note, sizes(n) + " far above the line left out");
}

} // namespace sonde::model::detail
