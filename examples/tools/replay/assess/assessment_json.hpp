// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/assess/assessment.hpp"

#include <string>

namespace tools::replay {

std::string assessment_json(assessed_trace const& all);

} // namespace tools::replay
