// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <mpi.h>

namespace sonde::mpi::detail {

/// Do all ranks of a communicator come here within two seconds? For the ends of what only all ranks together can end,
/// where an exception may have left some of them elsewhere.
///
/// All that come are told the same: one that gives up leaves its no behind, and those that come later wait for it. It
/// reaches them when that rank next lets MPI make progress, or its job ends.
inline bool all_come(MPI_Comm comm) {
    MPI_Request all = MPI_REQUEST_NULL;
    int here = 0;
    if (MPI_Ibarrier(comm, &all) != MPI_SUCCESS) return false;
    for (auto const begin = MPI_Wtime(); here == 0 && MPI_Wtime() < begin + 2;)
        if (MPI_Test(&all, &here, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
    static int const no = 0;
    static int unread = 0; // both outlive the call: who gives up does not wait
    int stay = 0;
    auto const gives_up = here == 0;
    auto const* const mine = gives_up ? &no : &here;
    auto const code = MPI_Iallreduce(mine, gives_up ? &unread : &stay, 1, MPI_INT, MPI_MIN, comm, &all);
    return !gives_up && code == MPI_SUCCESS && MPI_Wait(&all, MPI_STATUS_IGNORE) == MPI_SUCCESS && stay != 0;
}

} // namespace sonde::mpi::detail
