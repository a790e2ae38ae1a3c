// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

namespace sonde::mpi::detail {

/// Do all ranks of a communicator come here within two seconds? For the ends of what only all ranks together can end,
/// where an exception may have left some of them elsewhere.
inline bool all_come(MPI_Comm comm) {
    MPI_Request all = MPI_REQUEST_NULL;
    int here = 0;
    if (MPI_Ibarrier(comm, &all) != MPI_SUCCESS) return false;
    for (auto const begin = MPI_Wtime(); here == 0 && MPI_Wtime() < begin + 2;)
        if (MPI_Test(&all, &here, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    return here != 0;
}

} // namespace sonde::mpi::detail
