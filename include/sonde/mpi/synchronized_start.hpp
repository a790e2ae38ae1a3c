// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/clock/global_clock.hpp>
#include <sonde/mpi/clock.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <mpi.h>

#include <cstddef>
#include <span>
#include <string>

namespace sonde::mpi {

namespace detail {

/// One domain for all ranks if MPI_WTIME_IS_GLOBAL, the MPI library's assertion that MPI_Wtime is synchronized.
inline std::string domain_of(wtime) {
    int initialized = 0;
    // With the sessions model alone there is no MPI_COMM_WORLD to query.
    if (MPI_Initialized(&initialized) != MPI_SUCCESS || initialized == 0) return "";
    int* global = nullptr;
    int known = 0;
    check(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &global, &known), "MPI_Comm_get_attr");
    return known != 0 && *global != 0 ? "MPI_Wtime" : "";
}
inline std::string domain_of(steady_clock) { return clock_domain(); }

} // namespace detail

/// A `sonde::synchronized_start` of a group by `steady_clock` or `wtime`; it must be the clock of the plan. The ranks
/// of a node share the steady clock; MPI tells whether ranks share MPI_Wtime. Collective over the group, which must
/// outlive the result.
template <Clock C = steady_clock>
[[nodiscard]] auto synchronized_start(group_ref ranks, C clock = {}, clock_sync_options options = {}) {
    return sonde::synchronized_start<C, control_channel>{ranks.get(), clock, control_channel{ranks},
                                                         detail::domain_of(clock), options};
}

/// The time of rank 0's clock on all ranks of a group, for `write_timeline`. Collective over the group, which must
/// outlive the result.
template <Clock C = steady_clock>
[[nodiscard]] auto global_clock(group_ref ranks, C clock = {}, clock_sync_options options = {}) {
    return sonde::global_clock<C, control_channel>{ranks.get(), clock, control_channel{ranks}, detail::domain_of(clock),
                                                   options};
}

} // namespace sonde::mpi
