// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/sync.hpp>
#include <sonde/time.hpp>

#include <mpi.h>

namespace sonde::mpi {

/// MPI_Wtime as a clock, which OMB and IMB use.
struct wtime {
    seconds now() const { return seconds{MPI_Wtime()}; }
};

namespace detail {
inline constexpr int dissemination_tag = 32767; // the largest tag that every MPI library allows
}

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
