// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/sync.hpp>

#include <mpi.h>

namespace sonde::mpi {

/// Synchronizer: a dissemination barrier of empty MPI_Sendrecv messages before every iteration, on the group's
/// communicator. Collective over the group, which must outlive it. Throws mpi::error.
inline auto dissemination_barrier(group_ref ranks) {
    return sonde::dissemination_barrier{[comm = ranks.comm()](int to, int from) {
        constexpr auto tag = detail::dissemination_tag;
        check(MPI_Sendrecv(nullptr, 0, MPI_BYTE, to, tag, nullptr, 0, MPI_BYTE, from, tag, comm, MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
    }};
}

} // namespace sonde::mpi
