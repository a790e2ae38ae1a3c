// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/assess/assessment.hpp"

#include <string>

namespace tools::replay {

/// The report: as text, and as a JSON object in a line.
std::string assessment_text(assessed_trace const& all);

} // namespace tools::replay
