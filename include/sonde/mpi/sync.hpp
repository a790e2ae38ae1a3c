// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/sync.hpp>

#include <mpi.h>

namespace sonde::mpi {

namespace detail {
inline constexpr int dissemination_tag = 32767; // the largest that every MPI library allows
}

/// A dissemination barrier of empty MPI_Sendrecv messages before every iteration, on the group's own communicator. The
/// group must outlive it.
inline auto disseminated(group_ref ranks) {
    return dissemination{[comm = ranks.comm()](int to, int from) {
        constexpr auto tag = detail::dissemination_tag;
        check(MPI_Sendrecv(nullptr, 0, MPI_BYTE, to, tag, nullptr, 0, MPI_BYTE, from, tag, comm, MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
    }};
}

} // namespace sonde::mpi
