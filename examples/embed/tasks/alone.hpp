// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "job.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

namespace tasks {

/// Result of the job when one rank does it alone: the reference for the work of all ranks, and the cost of a task.
struct reference {
    ledger done;              // of rank 0
    double seconds = 0;       // of the job; equal on all ranks
    std::int64_t average = 0; // iterations of a task; equal on all ranks
};

/// A barrier that sleeps while it waits, so that it does not take the processor from a rank that works.
inline void wait_quietly(MPI_Comm comm) {
    MPI_Request all_here = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm, &all_here);
    for (int here = 0; MPI_Test(&all_here, &here, MPI_STATUS_IGNORE), here == 0;)
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
}

/// Rank 0 works, the others wait. Collective.
inline reference solve_alone(MPI_Comm comm, picture const& of) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    reference found{ledger{of.tasks()}};
    if (rank == 0) {
        own_numbers numbers;
        found.seconds = time_of_job(MPI_COMM_SELF, of, numbers, found.done);
        found.average = std::max(found.done.iterations_done() / of.tasks(), std::int64_t{1});
    }
    wait_quietly(comm);
    MPI_Bcast(&found.seconds, 1, MPI_DOUBLE, 0, comm);
    MPI_Bcast(&found.average, 1, MPI_INT64_T, 0, comm);
    return found;
}

} // namespace tasks
