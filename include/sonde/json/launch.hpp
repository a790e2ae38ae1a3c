// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/json/values.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <string>

namespace sonde {

/// One start of a program among several: what was started and how it ended.
struct launch {
    std::size_t number = 1; // from 1, in the file it was first written to
    std::string command;    // as a shell reads it
    std::string outcome;    // "exit status 0", "signal 9", "time-out"
    seconds wall{};
};

/// Before the environment and the records of that start:
///
///     {"type": "launch", "launch", "command", "outcome", "wall_seconds"}
inline void to_json(json& j, launch const& l) {
    j = {{"type", "launch"},
         {"launch", l.number},
         {"command", l.command},
         {"outcome", l.outcome},
         {"wall_seconds", l.wall.count()}};
}

inline void from_json(json const& j, launch& l) {
    j.at("launch").get_to(l.number);
    j.at("command").get_to(l.command);
    j.at("outcome").get_to(l.outcome);
    l.wall = detail::seconds_in(j.at("wall_seconds"));
}

} // namespace sonde
