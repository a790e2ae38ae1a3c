// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/hang/rank_state.hpp"

#include <istream>
#include <string>
#include <vector>

namespace tools::replay {

/// The state of a rank as a line of JSON: how `sonde-replay hang` of one node tells it to that of another one.
std::string state_line(rank_state const& s);

/// The states in lines of a file, which `name` names. What is in front of a line's first brace is a launcher's label;
/// lines without a brace are left out. Throws std::runtime_error for another object, and for a cut line.
std::vector<rank_state> read_states(std::istream& in, std::string const& name);

} // namespace tools::replay
