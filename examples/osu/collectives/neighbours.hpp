// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../options.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/mpi/topology.hpp>
#include <sonde/time.hpp>

#include <optional>
#include <string>
#include <vector>

namespace osu {

/// The ranks with the neighbours that `-N` gives them.
class neighbours {
public:
    /// Throws refusal, on all ranks, for a radius that is too large for the grid, and for a file that cannot be read,
    /// says something else, or names ranks that are not there. Collective over the group.
    neighbours(sonde::mpi::group& world, topology_choice const& asked);

    sonde::mpi::group const& ranks() const { return *ranks_; }
    /// The grid, and how long it took to tell MPI.
    std::string announcement() const;

private:
    std::vector<int> extents_; // none: a graph
    std::optional<sonde::mpi::topology> made_;
    std::optional<sonde::mpi::group> ranks_;
    sonde::seconds took_{};
};

/// All ranks within so many steps of one in each dimension of a grid whose ends meet, the last dimension fastest.
std::vector<int> near_on_grid(int rank, std::vector<int> const& extents, int radius);

} // namespace osu
