// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/assess/lower_bounds.hpp"

#include <sonde/mpi/group.hpp>

#include <string>
#include <vector>

namespace tools::replay {

/// Measures messages between rank 0 and the last rank, on another host if there is one, while the others sleep.
/// Collective; equal on all ranks.
machine measured_machine(sonde::mpi::group& world, std::vector<int> const& host_of_rank);

/// Measures the time to reduce a byte: MPI_SUM of doubles on rank 0, while the others sleep. Collective.
sonde::seconds measured_reduction(sonde::mpi::group& world);

} // namespace tools::replay
