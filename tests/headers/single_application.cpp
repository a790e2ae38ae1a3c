// SPDX-License-Identifier: BSL-1.0
// An application that copies Sonde as one header.

#include "sonde_single.hpp"

#include <mpi.h>

#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    std::vector<double> field(1000, 1);
    auto const sum = [&] {
        MPI_Allreduce(MPI_IN_PLACE, field.data(), static_cast<int>(field.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    };
    auto const twice = [&] { sum(), sum(); };
    auto const found = sonde::mpi::measure(MPI_COMM_WORLD, "sum", {.bytes = 8 * field.size()}, sum);
    auto const fastest = sonde::fastest(sonde::mpi::compare(MPI_COMM_WORLD, {{"once", sum}, {"twice", twice}}));
    MPI_Finalize();
    return found.series.empty() || fastest > 1 ? 1 : 0;
}
