// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

#include <vector>

// What the calls of a trace must have for its readers, which take sums and products of their numbers, and look their
// objects up.

namespace tools::replay {

/// Throws std::runtime_error for a call of more bytes than `most_bytes`.
void require_bounded(step const& s, program const& of);

/// Throws std::runtime_error for a call that names a communicator or a window which the thread does not have, or makes
/// a topology that is none. Marks calls as invalid whose arguments MPI refuses: a rank that is none of the
/// communicator, a negative count.
void check_objects(std::vector<step>& body, thread_trace const& thread);

} // namespace tools::replay
