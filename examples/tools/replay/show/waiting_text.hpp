// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/waiting/loop_waiting.hpp"
#include "tools/text.hpp"

#include <string>
#include <vector>

namespace tools::replay {

/// "phase 2, 240 of 400 passes": what a loop's waiting is of.
std::string waiting_title(loop_waiting const& loop);

/// The exchanges where ranks wait or whose delays make them wait, as shares of the ranks' time in the loop. The first
/// row has the names of the columns; there is no other one in a loop without waiting.
std::vector<cells> waiting_table(loop_waiting const& loop);

/// The ranks that caused most of the waiting, as in the table of a probe's exchanges.
std::vector<cells> late_table(loop_waiting const& loop);

/// Waiting in all loops of a trace, as text.
std::string waiting_text(trace_waiting const& w);

} // namespace tools::replay
