// SPDX-License-Identifier: BSL-1.0
#pragma once

// Where SimGrid's SMPI differs from other MPI libraries: time is simulated, and the ranks are copies of the program in
// one process.

#include <mpi.h>

#include <chrono>
#include <ctime>

#ifdef SMPI_H
#include <simgrid/engine.h>
#endif

namespace tools::replay {

#ifdef SMPI_H

constexpr bool is_simulated = true;

/// Simulated time. MPI_Wtime is not used, because each of its calls takes simulated time, by SMPI's option smpi/wtime.
struct record_clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<record_clock>;
    static constexpr bool is_steady = true;

    static time_point now() {
        smpi_bench_end(); // the work since the last call counts, if SMPI simulates it
        auto const time = simgrid_get_clock();
        smpi_bench_begin();
        return time_point{std::chrono::round<duration>(std::chrono::duration<double>{time})};
    }
};

/// Sleeps: a busy loop would not end, since simulated time does not go on in it.
inline void wait_until(record_clock::time_point end) {
    auto const left = (end - record_clock::now()).count();
    constexpr auto second = std::nano::den;
    std::timespec const time{left / second, left % second};
    if (left > 0) smpi_nanosleep(&time, nullptr);
}

/// MPI_CART or MPI_UNDEFINED: SMPI has no other topologies, and ends the job when MPI_Topo_test is called.
inline int topology_of(MPI_Comm comm) {
    int dimensions = 0;
    return PMPI_Cartdim_get(comm, &dimensions) == MPI_SUCCESS ? MPI_CART : MPI_UNDEFINED;
}

#else

constexpr bool is_simulated = false;

using record_clock = std::chrono::steady_clock;

/// Busy, as an application that computes.
inline void wait_until(record_clock::time_point end) {
    while (record_clock::now() < end) {
    }
}

/// MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH or MPI_UNDEFINED.
inline int topology_of(MPI_Comm comm) {
    int kind = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &kind);
    return kind;
}

#endif

} // namespace tools::replay
