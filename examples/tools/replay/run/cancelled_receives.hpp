// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

namespace tools::replay {

/// Makes nonblocking receives that are cancelled in all their calls ones from MPI_PROC_NULL, if the receives of the
/// trace are then as many as its messages: no message was for them. A trace does not tell which cancels had an effect.
void leave_out_cancelled(trace& t);

} // namespace tools::replay
