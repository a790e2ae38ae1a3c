// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clocks/global_clock.hpp>
#include <sonde/clocks/synchronized_start.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/sync.hpp>
#include <sonde/time.hpp>

#include <mpi.h>

#include <cstddef>
#include <span>
#include <string>

namespace sonde::mpi {

namespace detail {

inline constexpr int clock_tag = dissemination_tag - 1;

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

/// ControlChannel on the communicator of a group: MPI_Send and MPI_Recv.
class control_channel {
public:
    explicit control_channel(group_ref ranks) : comm_{ranks.comm()}, oversubscribed_{ranks.get().oversubscribed()} {}
    void send(int to, std::span<double const> v) const {
        detail::for_each_piece(v.size(), [&](std::size_t first, int n) {
            check(MPI_Send(v.data() + first, n, MPI_DOUBLE, to, detail::clock_tag, comm_), "MPI_Send");
        });
    }
    void receive(int from, std::span<double> v) const {
        detail::for_each_piece(v.size(), [&](std::size_t first, int n) {
            check(MPI_Recv(v.data() + first, n, MPI_DOUBLE, from, detail::clock_tag, comm_, MPI_STATUS_IGNORE),
                  "MPI_Recv");
        });
    }

    /// That of the group: the ranks of other pairs are busy at the same time.
    bool oversubscribed() const { return oversubscribed_; }

private:
    MPI_Comm comm_;
    bool oversubscribed_;
};

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
