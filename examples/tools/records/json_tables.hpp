// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/records/log.hpp"

#include <string>

namespace tools {

/// Read JSON lines (`sonde::json_lines`, `sonde-launch`): in each run, the records of one name and equal parameters,
/// bytes and repetitions aside, make a table of their medians. Throws std::runtime_error as `sonde::read_launches`
/// does, and for a file without a record.
log_contents read_json_log(std::string const& text, std::string const& path);

} // namespace tools
