// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>

#include <mpi.h>
#include <smpi/smpi.h>

#include <array>
#include <cstddef>

namespace truth {

/// Synchronizer by which all simulated ranks begin a sample at the same time: MPI_Wtime is the simulator's clock, and
/// work on hosts of 1 Gflop/s takes 1 ns for each flop.
struct common_start {
    void operator()(sonde::Group auto& group, std::size_t) const {
        std::array<double, 1> latest{MPI_Wtime()};
        group.all_reduce(latest, sonde::reduction::max);
        constexpr double margin = 1e-3; // all ranks leave the reduction within this time
        smpi_execute_flops(1e9 * (latest[0] + margin - MPI_Wtime()));
    }
};

} // namespace truth
