// SPDX-License-Identifier: BSL-1.0
#include "measure_team.hpp"

#include <sonde/mpi/error.hpp>

#include <mpi.h>
#include <time.h> // nanosleep

#include <array>
#include <cstddef>
#include <utility>

namespace tools::model {

namespace {

using sonde::mpi::check;

std::optional<sonde::mpi::group> split(sonde::mpi::group const& from, int color, int key) {
    MPI_Comm part = MPI_COMM_NULL;
    check(MPI_Comm_split(from.comm(), color, key, &part), "MPI_Comm_split");
    if (part == MPI_COMM_NULL) return std::nullopt;
    std::optional<sonde::mpi::group> made{part};
    check(MPI_Comm_free(&part), "MPI_Comm_free");
    return made;
}

} // namespace

std::optional<sonde::mpi::group> team_of(sonde::mpi::group const& world, std::vector<couple> const& pairs) {
    auto color = MPI_UNDEFINED, key = 0;
    auto const n = static_cast<int>(pairs.size());
    for (auto i = 0; i != n; ++i) {
        auto const& [initiator, responder] = pairs[static_cast<std::size_t>(i)];
        if (world.rank() != initiator && world.rank() != responder) continue;
        color = 0;
        key = world.rank() == initiator ? i : n + i;
    }
    return split(world, color, key);
}

sonde::mpi::group pair_of(sonde::mpi::group const& team) {
    auto const pairs = team.size() / 2;
    return std::move(*split(team, team.rank() % pairs, team.rank()));
}

void meet(sonde::mpi::group const& world) {
    MPI_Request all = MPI_REQUEST_NULL;
    check(MPI_Ibarrier(world.comm(), &all), "MPI_Ibarrier");
    constexpr timespec moment{.tv_sec = 0, .tv_nsec = 1'000'000};
    for (int here = 0; here == 0;) {
        check(MPI_Test(&all, &here, MPI_STATUS_IGNORE), "MPI_Test");
        if (here == 0) nanosleep(&moment, nullptr);
    }
}

bool on_any(sonde::mpi::group const& world, bool here) {
    std::array said{here ? 1.0 : 0.0};
    world.all_reduce(said, sonde::reduction::max);
    return said[0] != 0;
}

} // namespace tools::model
