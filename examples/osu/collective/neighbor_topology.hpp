// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"

#include <sonde/clock.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/topology.hpp>

#include <optional>
#include <string>
#include <vector>

namespace osu {

/// The ranks with the topology of `-N`, a periodic grid or the edges of a file.
class neighbor_topology {
public:
    /// Throws refusal, on all ranks, for a radius that is too large for the grid, and for a file that is unreadable,
    /// malformed, or has ranks outside the group. Collective over the group.
    neighbor_topology(sonde::mpi::group& world, topology_choice const& asked);

    sonde::mpi::group const& ranks() const { return *ranks_; }
    /// Lines above the title: the extents of the grid, and the mean time of creating the topology.
    std::string preamble() const;

private:
    std::vector<int> extents_; // of the grid; empty for a file
    std::optional<sonde::mpi::topology> topology_;
    std::optional<sonde::mpi::group> ranks_;
    sonde::seconds creation_time_{};
};

/// Neighbors of a rank in a periodic grid: all ranks within `radius` in each dimension, the last dimension fastest.
std::vector<int> grid_neighbors(int rank, std::vector<int> const& extents, int radius);

} // namespace osu
