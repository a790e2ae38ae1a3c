// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/compare/rows.hpp"
#include "tools/records/log.hpp"

namespace tools {

/// Compare a log with records of JSON. A row of the log takes the name and the parameters of a record of the same
/// program, size and settings, if there is only one such row, and becomes the time of an iteration: a round trip, a
/// window. These records have one time then, the mean that the program prints. Other rows stay as they are.
void text_as_records(log_contents const& log, launch_set& text, launch_set& records);

} // namespace tools
