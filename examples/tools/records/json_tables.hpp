// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/records/log.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

/// Numeric parameter of a record, such as its "bytes".
double setting(sonde::record const& r, std::string_view name, double otherwise);

/// Number of concurrent pairs of a record, of all groups; 0 if it has no such number, or an impossible one.
std::size_t pairs_of(sonde::record const& r);

/// As `read_runs` of a path, for the lines of a file.
log_contents read_runs(std::vector<text_line> const& lines, std::string const& path);

/// Read JSON lines (`sonde::json_lines`, `sonde-launch`): in each run, the records of one name and equal parameters,
/// bytes and repetitions aside, make a table of their medians. The alternatives of comparisons are records of their
/// run. Throws as `read_runs`.
log_contents read_json_log(std::vector<text_line> const& lines, std::string const& path);

} // namespace tools
