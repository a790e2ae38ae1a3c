// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <sonde/mpi/group.hpp>

#include <optional>
#include <vector>

namespace imb {

/// The groups that run a benchmark at the same time, and this rank's among them. Building and ending it are collective
/// over the world.
class teams {
public:
    /// `windows`: groups have windows at the same time.
    teams(sonde::mpi::group const& world, options const& asked, int processes, bool windows = false);

    /// World ranks, by group and group rank.
    std::vector<std::vector<int>> const& members() const { return members_; }
    /// None: this rank waits.
    std::optional<int> number() const { return number_; }
    sonde::mpi::group& mine() { return *mine_; }
    /// The ranks of all groups, where there are several.
    sonde::mpi::group const* all() const { return all_ ? &*all_ : nullptr; }

private:
    void reserve_numbers();

    std::vector<std::vector<int>> members_;
    std::optional<int> number_;
    std::optional<sonde::mpi::group> mine_;
    std::optional<sonde::mpi::group> all_;
    std::vector<sonde::mpi::group> reserved_;
};

} // namespace imb
