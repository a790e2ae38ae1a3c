// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/show/profile.hpp"
#include "tools/replay/waiting/loop_waiting.hpp"

#include <cstddef>
#include <string>

namespace tools::replay {

/// The report: as text, as a JSON object in a line, as a page.
std::string profile_text(trace const& t, profile const& p, trace_waiting const& w);

/// Lines that begin with "# ": what was recorded, and what is missing.
std::string summary_text(trace const& t, profile const& p);

} // namespace tools::replay
