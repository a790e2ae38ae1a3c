// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/groups.hpp"

#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>

namespace imb {

namespace {

std::vector<int> doubled(int first, int last) {
    std::vector<int> all;
    for (auto n = first; n < last; n *= 2) all.push_back(n);
    all.push_back(last);
    return all;
}

} // namespace

int least_processes(family kind, bool io) {
    if (kind == family::single_transfer) return io ? 1 : 2;
    return kind == family::single_element || kind == family::message_rate ? 2 : 1;
}

std::vector<int> process_counts(family kind, bool io, int world, int npmin) {
    auto const least = least_processes(kind, io);
    if (kind == family::single_transfer || kind == family::single_element) return {std::min(least, world)};
    if (kind == family::message_rate) {
        if (world < least) return {world};
        return doubled(std::min(world, npmin + npmin % 2) / 2 * 2, world / 2 * 2);
    }
    return doubled(std::max(1, std::min(world, npmin)), world);
}

bool transposes(grid const& map) { return map.p > 1 && map.q > 1; }

int mapped_rank(grid const& map, int world_rank, int world) {
    if (!transposes(map)) return world_rank;
    auto const position = static_cast<long long>(map.q) * world_rank % (world - 1);
    return position == 0 ? world_rank : static_cast<int>(position);
}

std::vector<std::vector<int>> groups_of(grid const& map, int processes, int world, bool several) {
    auto const groups = several ? world / processes : 1;
    std::vector<std::vector<int>> all(static_cast<std::size_t>(groups),
                                      std::vector<int>(static_cast<std::size_t>(processes)));
    for (int rank = 0; rank != world; ++rank) {
        auto const position = mapped_rank(map, rank, world);
        if (position / processes < groups)
            all[static_cast<std::size_t>(position / processes)][static_cast<std::size_t>(position % processes)] = rank;
    }
    return all;
}

namespace {

/// Split the world; a rank without a color gets no communicator. Collective over the world.
void split_off(sonde::mpi::group const& world, std::optional<int> color, int key,
               std::optional<sonde::mpi::group>& into) {
    MPI_Comm part = MPI_COMM_NULL;
    sonde::mpi::check(MPI_Comm_split(world.comm(), color.value_or(MPI_UNDEFINED), key, &part), "MPI_Comm_split");
    if (part == MPI_COMM_NULL) return;
    into.emplace(part);
    sonde::mpi::check(MPI_Comm_free(&part), "MPI_Comm_free");
}

} // namespace

process_groups::process_groups(sonde::mpi::group const& world, options const& asked, int processes, bool windows)
    : members_{groups_of(asked.map, processes, world.size(), asked.multi && *asked.multi >= 0)} {
    auto rank_in_group = 0;
    for (std::size_t g = 0; g != members_.size(); ++g)
        for (std::size_t r = 0; r != members_[g].size(); ++r)
            if (members_[g][r] == world.rank()) {
                number_ = static_cast<int>(g);
                rank_in_group = static_cast<int>(r);
            }
    split_off(world, number_, rank_in_group, mine_);
    if (windows) reserve_communicator_numbers();
    if (members_.size() > 1) split_off(world, number_ ? std::optional{0} : std::nullopt, world.rank(), all_);
}

/// Give each group's next communicator a number of its own. Open MPI 4.1 names the files of an RMA window by host and
/// communicator number, and groups number their communicators independently: two windows on one host at the same time
/// would share files.
void process_groups::reserve_communicator_numbers() {
    if (!mine_ || !mine_->library().starts_with("Open MPI")) return;
    for (int g = 0; g < number_.value_or(0); ++g) reserved_.emplace_back(mine_->comm());
}

} // namespace imb
