// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

namespace tools::replay {

/// Throws std::runtime_error for a call that lacks what its function needs: a communicator, a window, or a count for
/// each rank or neighbor; and for a request of a call whose arguments MPI refuses.
void require_replayable_calls(trace const& t);

/// Throws std::runtime_error for a communicator or a window that a rank lacks which is one of its ranks, and for a
/// topology that only some of them have: ranks would wait for each other.
void require_common_objects(trace const& t);

} // namespace tools::replay
