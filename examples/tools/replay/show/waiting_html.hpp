// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/waiting/loop_waiting.hpp"

#include <string>

namespace tools::replay {

/// The section of a page about waiting.
std::string waiting_html(trace_waiting const& w);

} // namespace tools::replay
