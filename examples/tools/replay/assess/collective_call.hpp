// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/assess/collective_algorithms.hpp"
#include "tools/replay/trace/trace_reader.hpp"

#include <mpi.h>

#include <optional>
#include <vector>

namespace tools::replay {

/// A collective of a trace as algorithms take it, with its buffers. Empty if it has no algorithms, or if the elements
/// of a block are more than an int counts.
std::optional<collective_arguments> arguments_of(step const& s, program const& calls, communicator const& in,
                                                 MPI_Comm comm);

/// The same collective as a nonblocking one that is completed at once, or as a blocking one.
std::vector<step> other_mode(std::vector<step> const& collective);

} // namespace tools::replay
