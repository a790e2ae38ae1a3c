// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/imb_options.hpp"

#include <sonde/mpi/group.hpp>

#include <optional>
#include <vector>

namespace imb {

// Processes of a benchmark. Without MPI.

/// Minimum number of processes.
int least_processes(family kind, bool io);

/// Numbers of processes that a benchmark runs with, in order: npmin, doubled up to the size of the world, which is the
/// last; one number for pairs. A number below `least_processes` is too few.
std::vector<int> process_counts(family kind, bool io, int world, int npmin);

/// True if `-map` transposes the ranks of the world.
bool transposes(grid const& map);

/// Position of a world rank: the rank itself, or transposed by `-map`, so that neighbors are P ranks apart.
int mapped_rank(grid const& map, int world_rank, int world);

/// World ranks of each group, by group rank: one group of `processes`, or as many groups as the world has room for.
std::vector<std::vector<int>> groups_of(grid const& map, int processes, int world, bool several);

/// Groups that run a benchmark at the same time, with communicators. The constructor and the destructor are collective
/// over the world.
class process_groups {
public:
    /// `windows`: all groups have RMA windows at the same time.
    process_groups(sonde::mpi::group const& world, options const& asked, int processes, bool windows = false);

    /// World ranks, by group and group rank.
    std::vector<std::vector<int>> const& members() const { return members_; }
    /// Processes of one group.
    std::size_t size() const { return members_.front().size(); }
    /// Number of this rank's group; none: this rank waits.
    std::optional<int> number() const { return number_; }
    /// This rank's group, if it has one.
    sonde::mpi::group& mine() { return *mine_; }
    /// Ranks of all groups; null if there is one group.
    sonde::mpi::group const* all() const { return all_ ? &*all_ : nullptr; }

private:
    void reserve_communicator_numbers();

    std::vector<std::vector<int>> members_;
    std::optional<int> number_;
    std::optional<sonde::mpi::group> mine_;
    std::optional<sonde::mpi::group> all_;
    std::vector<sonde::mpi::group> reserved_;
};

} // namespace imb
