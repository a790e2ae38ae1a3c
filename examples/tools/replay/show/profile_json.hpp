// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/show/profile.hpp"
#include "tools/replay/waiting/loop_waiting.hpp"

#include <string>

namespace tools::replay {

std::string profile_json(trace const& t, profile const& p, trace_waiting const& w);

} // namespace tools::replay
