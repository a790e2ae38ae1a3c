// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/waiting/loop_waiting.hpp"
#include "tools/text.hpp"

#include <string>
#include <vector>

namespace tools::replay {

/// "phase 2, 32 of 400 passes": what a loop's waiting is of.
std::string waiting_title(loop_waiting const& loop);

/// What is known of a loop, in sentences: how long its ranks waited and whether a rank is late, and what is left out.
std::vector<std::string> waiting_sentences(loop_waiting const& loop);

/// The call sites where ranks wait or whose delays make them wait, as shares of the ranks' time in the loop. The first
/// row has the names of the columns; there is no other one in a loop without waiting.
std::vector<cells> waiting_table(loop_waiting const& loop);

/// Waiting in all loops of a trace, as text.
std::string waiting_text(trace_waiting const& w);

} // namespace tools::replay
