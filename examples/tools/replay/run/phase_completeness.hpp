// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

#include <string>
#include <vector>

namespace tools::replay {

/// Why steps of all ranks, which are in the order of the ranks, are not complete in themselves; empty if they are.
/// Steps are complete if their messages are received, their requests are completed, and their collectives and epochs
/// are those of all ranks that take part. `is_whole`: the steps are the whole programs, at whose end requests may be
/// open.
std::string incompleteness(trace const& t, std::vector<std::vector<step const*>> const& steps, bool is_whole = false);

/// True if steps of a rank start requests that they do not complete.
bool leaves_requests(program const& of, std::vector<step const*> const& steps);

} // namespace tools::replay
