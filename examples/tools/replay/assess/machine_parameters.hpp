// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/assess/lower_bounds.hpp"

#include <sonde/mpi/group.hpp>

#include <string>
#include <vector>

namespace tools::replay {

/// The parameters of a fit of Hockney's, the max-rate or the LogGP model, in a file of `sonde-model fit --json`. Throws
/// std::runtime_error, in one line, for another file or model, and if no range of sizes is determined.
machine machine_of_file(std::string const& path);

/// Measures messages between rank 0 and the last rank, on another host if there is one, while the others sleep.
/// Collective; equal on all ranks.
machine measured_machine(sonde::mpi::group& world, std::vector<int> const& host_of_rank);

/// Measures the time to reduce a byte: MPI_SUM of doubles on rank 0, while the others sleep. Collective.
sonde::seconds measured_reduction(sonde::mpi::group& world);

} // namespace tools::replay
