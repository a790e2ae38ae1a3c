// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "alone.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace tasks {

/// Distribution of the tasks and their iterations over the ranks, on rank 0. Collective.
inline void print_spread(MPI_Comm comm, ledger const& mine) {
    int rank = 0, size = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    std::array<std::int64_t, 2> const own{mine.tasks_done(), mine.iterations_done()};
    std::vector<std::array<std::int64_t, 2>> of(static_cast<std::size_t>(size));
    MPI_Gather(own.data(), 2, MPI_INT64_T, of.data(), 2, MPI_INT64_T, 0, comm);
    if (rank != 0) return;
    std::int64_t all = 0;
    for (auto const& [tasks, iterations] : of) all += iterations;
    std::printf("  %6s %10s %16s %8s\n", "rank", "tasks", "iterations", "share");
    for (rank = 0; rank != size; ++rank) {
        auto const& [tasks, iterations] = of[static_cast<std::size_t>(rank)];
        std::printf("  %6d %10lld %16lld %6.1f %%\n", rank, static_cast<long long>(tasks),
                    static_cast<long long>(iterations),
                    100.0 * static_cast<double>(iterations) / static_cast<double>(all));
    }
}

/// True if every task was done once, with the same result as rank 0 computed alone. For ledgers collected on rank 0.
inline bool agrees(ledger const& done, ledger const& alone) {
    for (std::size_t task = 0; task != done.times().size(); ++task) {
        auto const times = static_cast<long long>(done.times()[task]);
        if (times == 1 && done.iterations()[task] == alone.iterations()[task]) continue;
        std::printf("WRONG: task %zu was done %lld times, with %lld iterations instead of %lld\n", task, times,
                    static_cast<long long>(done.iterations()[task]), static_cast<long long>(alone.iterations()[task]));
        return false;
    }
    std::printf("every task was done once; %lld iterations, as by rank 0 alone\n",
                static_cast<long long>(done.iterations_done()));
    return true;
}

} // namespace tasks
