// SPDX-License-Identifier: BSL-1.0
// An application that measures a barrier of its ranks by an installed Sonde.
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    bool measured = false;
    {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        auto const found =
            sonde::run(ranks, sonde::plan<>{}.until(sonde::samples{20}), [] { MPI_Barrier(MPI_COMM_WORLD); });
        measured = found.series.size() == 20;
        if (ranks.rank() == 0)
            std::printf("sonde %s: %zu samples on %d ranks\n", SONDE_VERSION, found.series.size(), ranks.size());
    }
    MPI_Finalize();
    return measured ? 0 : 1;
}
