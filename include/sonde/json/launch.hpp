// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/json/values.hpp>
#include <sonde/run_file.hpp>

namespace sonde {

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
