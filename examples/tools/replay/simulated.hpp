// SPDX-License-Identifier: BSL-1.0
#pragma once

// Where SimGrid's SMPI differs from other MPI libraries: time is simulated, and the ranks are copies of the program in
// one process.

#include <sonde/clock.hpp>

#include <mpi.h>

#include <chrono>
#include <ctime>
#include <string>

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
        return time_point{std::chrono::round<duration>(sonde::seconds{time})};
    }
    /// A reading takes no time. To measure that would take longer than most replays.
    static sonde::clock_properties properties() { return {.resolution = duration{1}}; }
};

/// Sleeps: a busy loop would not end, since simulated time does not go on in it.
template <class Work>
void wait_until(record_clock::time_point end, Work const&) {
    auto const left = (end - record_clock::now()).count();
    constexpr auto second = std::nano::den;
    std::timespec const time{left / second, left % second};
    if (left > 0) smpi_nanosleep(&time, nullptr);
}

/// "solver" of "solver_4711_3.so", the copy that a rank runs: it ends in the process and the rank.
inline std::string program_of_copy(std::string const& file) {
    auto const rank = file.rfind('_');
    return rank == 0 || rank == file.npos ? file : file.substr(0, file.rfind('_', rank - 1));
}

/// MPI_CART or MPI_UNDEFINED: SMPI has no other topologies, and ends the job when MPI_Topo_test is called.
inline int topology_of(MPI_Comm comm) {
    int dimensions = 0;
    return PMPI_Cartdim_get(comm, &dimensions) == MPI_SUCCESS ? MPI_CART : MPI_UNDEFINED;
}

#else

constexpr bool is_simulated = false;

inline std::string program_of_copy(std::string const& file) { return file; }

using record_clock = sonde::steady_clock;

/// Repeats a piece of work, as an application that computes.
template <class Work>
void wait_until(record_clock::time_point end, Work const& work) {
    while (record_clock::now() < end) work();
}

/// MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH or MPI_UNDEFINED.
inline int topology_of(MPI_Comm comm) {
    int kind = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &kind);
    return kind;
}

#endif

} // namespace tools::replay
