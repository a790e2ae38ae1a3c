// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "measure_places.hpp"

#include <sonde/mpi/group.hpp>

#include <optional>
#include <vector>

namespace tools::model {

/// The ranks of these pairs as a group, for `sonde::pair_of`: all initiators in the order of their pairs, then all
/// responders; none on other ranks. Collective over the world.
std::optional<sonde::mpi::group> team_of(sonde::mpi::group const& world, std::vector<couple> const& pairs);

/// This rank's pair of such a group. Collective over the group.
sonde::mpi::group pair_of(sonde::mpi::group const& team);

/// All ranks come here; who waits for others sleeps, and takes nothing from those that measure. Collective over the
/// world.
void meet(sonde::mpi::group const& world);

/// Did it happen on any rank? Collective over the group.
bool on_any(sonde::mpi::group const& world, bool here);

} // namespace tools::model
