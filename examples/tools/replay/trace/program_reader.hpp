// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

#include <nlohmann/json_fwd.hpp>

namespace tools::replay {

/// The program of a line. Throws std::runtime_error, or an exception of nlohmann::json, for one that is none.
program program_of(nlohmann::json const& line);

} // namespace tools::replay
