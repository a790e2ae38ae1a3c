// SPDX-License-Identifier: BSL-1.0

// One file of this application includes Sonde. It times an exchange that is split over two functions, and measures an
// exchange that accumulates.

#include "measuring.hpp"
#include "rod.hpp"

#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    measuring measured;
    rod r{MPI_COMM_WORLD, 10'000, measured};
    for (int i = 0; i != 1000; ++i) r.step();
    measured.print(MPI_COMM_WORLD);

    measuring::measure_sum(MPI_COMM_WORLD, r); // the heat is the same before and after
    auto correct = true;
    for (auto const h : r.heat()) correct = correct && h == 1.0;
    correct = correct && r.middle() == 1.0;
    MPI_Finalize();
    return correct ? 0 : 1;
}
