// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/run/replay_phases.hpp"

#include <sonde/mpi/group.hpp>

#include <string>
#include <vector>

namespace tools::replay {

/// Reads a trace and takes it apart in phases, which refer to `into`. Collective; throws a refusal, on all ranks, for a
/// trace that cannot be replayed on this number of ranks.
std::vector<replay_phase> read_phases(sonde::mpi::group const& world, std::string const& file, trace& into);

} // namespace tools::replay
