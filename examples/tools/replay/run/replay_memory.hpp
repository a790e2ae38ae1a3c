// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

namespace tools::replay {

/// Bytes of memory that the replay of a thread's calls takes: what they receive, their longest message, and windows.
/// Throws what `counted` throws.
double memory_needed(trace const& t, thread_trace const& own);

} // namespace tools::replay
