// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/map/map_output.hpp"
#include "tools/map/sonde_map.hpp"

#include <sonde/mpi/group.hpp>

namespace tools::map {

/// Measure all maps between the ranks of `group`, one rank for each place. `lines`, on rank 0 if at all, gets the pairs
/// of each round. The result's times are on rank 0 only. Throws suite::refusal, on all ranks, if one has no memory for
/// the messages. Collective over the group.
void measure_maps(sonde::mpi::group& group, map_options const& options, map_result& result, pair_lines* lines);

} // namespace tools::map
