// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock_window.hpp>
#include <sonde/mpi/clock.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/sync.hpp>
#include <sonde/time.hpp>

#include <mpi.h>

#include <concepts>
#include <span>
#include <string>
#include <utility>

namespace sonde::mpi {

namespace detail {

inline constexpr int clock_tag = dissemination_tag - 1;

/// MPI_WTIME_IS_GLOBAL: the library's word that all ranks read the same.
inline std::string domain_of(wtime) {
    int initialized = 0;
    if (MPI_Initialized(&initialized) != MPI_SUCCESS || initialized == 0) return ""; // a session has no world to ask
    int* global = nullptr;
    int known = 0;
    check(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &global, &known), "MPI_Comm_get_attr");
    return known != 0 && *global != 0 ? "MPI_Wtime" : "";
}
inline std::string domain_of(steady_clock) { return clock_domain(); }

} // namespace detail

/// Carries numbers on the group's own communicator: MPI_Send and MPI_Recv.
class courier {
public:
    explicit courier(group_ref ranks) : comm_{ranks.comm()} {}
    void send(int to, std::span<double const> v) const {
        check(MPI_Send(v.data(), static_cast<int>(v.size()), MPI_DOUBLE, to, detail::clock_tag, comm_), "MPI_Send");
    }
    void receive(int from, std::span<double> v) const {
        check(MPI_Recv(v.data(), static_cast<int>(v.size()), MPI_DOUBLE, from, detail::clock_tag, comm_,
                       MPI_STATUS_IGNORE),
              "MPI_Recv");
    }

private:
    MPI_Comm comm_;
};

/// Ranks start at one global time, see `sonde::clock_window`. Time is that of `clock`, `steady_clock` or `wtime`: the
/// one that the plan reads. Ranks of a node share a steady clock; whether they share MPI_Wtime, MPI says. Collective
/// over the group, which must live as long.
template <Clock C = steady_clock>
[[nodiscard]] auto clock_window(group_ref ranks, C clock = {}, sync_effort effort = {}) {
    return sonde::clock_window<C, courier>{ranks.get(), clock, courier{ranks}, detail::domain_of(clock), effort};
}

} // namespace sonde::mpi
