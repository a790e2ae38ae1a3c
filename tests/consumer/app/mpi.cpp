// SPDX-License-Identifier: BSL-1.0
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        (void)sonde::run(ranks, sonde::plan<>{}, [] {});
    }
    MPI_Finalize();
}
