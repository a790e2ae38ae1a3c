// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/values.hpp"

#include <sonde/measure/environment.hpp>
#include <sonde/mpi/environment.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/report/text.hpp>

#include <mpi.h>
#include <time.h> // nanosleep

#include <optional>

namespace tools {

/// Barrier whose ranks sleep while they wait, so that they disturb no measurement of other ranks. Collective over the
/// world.
inline void sleeping_barrier(sonde::mpi::group const& world) {
    MPI_Request all = MPI_REQUEST_NULL;
    sonde::mpi::check(MPI_Ibarrier(world.comm(), &all), "MPI_Ibarrier");
    constexpr timespec millisecond{.tv_sec = 0, .tv_nsec = 1'000'000};
    for (int complete = 0; complete == 0;) {
        sonde::mpi::check(MPI_Test(&all, &complete, MPI_STATUS_IGNORE), "MPI_Test");
        if (complete == 0) nanosleep(&millisecond, nullptr);
    }
}

/// Group of the ranks with this rank's color, in the order of their keys; empty on ranks whose color is MPI_UNDEFINED.
/// Collective over `from`.
inline std::optional<sonde::mpi::group> split(sonde::mpi::group const& from, int color, int key) {
    MPI_Comm part = MPI_COMM_NULL;
    sonde::mpi::check(MPI_Comm_split(from.comm(), color, key, &part), "MPI_Comm_split");
    if (part == MPI_COMM_NULL) return std::nullopt;
    std::optional<sonde::mpi::group> group{part};
    sonde::mpi::check(MPI_Comm_free(&part), "MPI_Comm_free");
    return group;
}

/// Environment of the world, with the hosts of all ranks on every rank, so that all ranks place the measurements
/// alike. Collective over the world.
inline sonde::environment shared_environment(sonde::mpi::group const& world, int argc, char const* const* argv) {
    auto found = sonde::mpi::environment_of(world, argc, argv);
    for (auto* numbers : {&found.host_of_rank, &found.ranks_per_host}) sonde::broadcast(world, *numbers);
    auto hosts = sonde::detail::joined(found.hosts, "\n");
    sonde::broadcast(world, hosts);
    found.hosts = suite::split(hosts, '\n');
    return found;
}

} // namespace tools
