// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>
#include <time.h> // nanosleep

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

} // namespace tools
