// SPDX-License-Identifier: BSL-1.0
#include "teams.hpp"

#include "processes.hpp"

#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <cstddef>

namespace imb {

namespace {

/// This rank goes into one of the new communicators or into none. Collective over the world.
void split(sonde::mpi::group const& world, std::optional<int> color, int key, std::optional<sonde::mpi::group>& into) {
    MPI_Comm part = MPI_COMM_NULL;
    sonde::mpi::check(MPI_Comm_split(world.comm(), color.value_or(MPI_UNDEFINED), key, &part), "MPI_Comm_split");
    if (part == MPI_COMM_NULL) return;
    into.emplace(part);
    sonde::mpi::check(MPI_Comm_free(&part), "MPI_Comm_free");
}

} // namespace

teams::teams(sonde::mpi::group const& world, options const& asked, int processes, bool windows)
    : members_{groups_of(asked.map, processes, world.size(), asked.multi && *asked.multi >= 0)} {
    auto rank_in_group = 0;
    for (std::size_t g = 0; g != members_.size(); ++g)
        for (std::size_t r = 0; r != members_[g].size(); ++r)
            if (members_[g][r] == world.rank()) {
                number_ = static_cast<int>(g);
                rank_in_group = static_cast<int>(r);
            }
    split(world, number_, rank_in_group, mine_);
    if (windows) reserve_numbers();
    if (members_.size() > 1) split(world, number_ ? std::optional{0} : std::nullopt, world.rank(), all_);
}

/// Open MPI 4.1 names the files of a window by host and number of its communicator, which groups count on their own:
/// two windows on a host at the same time need different numbers.
void teams::reserve_numbers() {
#ifdef OPEN_MPI
    for (int g = 0; g < number_.value_or(0); ++g) reserved_.emplace_back(mine_->comm());
#endif
}

} // namespace imb
