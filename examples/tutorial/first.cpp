// SPDX-License-Identifier: BSL-1.0

// First measurement: the exchange of an application, and a decision that follows from the result.

// [measure]
#include "ring.hpp" // the application, which does not use Sonde

#include <sonde/mpi.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sonde.hpp>

#include <cstdio>

void measure(ring& app) {
    sonde::mpi::group ranks{app.comm()}; // duplicates the communicator
    auto const plan = sonde::plan<>{}.until(sonde::samples{1000} || sonde::time_budget{sonde::seconds{1}});
    auto const r = sonde::run(ranks, plan, sonde::with_traffic({.bytes = app.bytes()}, [&] { app.exchange(); }),
                              {"ring", {{"bytes", app.bytes()}}});

    sonde::on_root{ranks, sonde::table{stdout}}(r); // rank 0 prints a row
    // The record is equal on all ranks, so all ranks take the same branch.
    if (sonde::bandwidth(r) < 100e6) app.use_single_precision(); // bytes per second of all initiators
}
// [/measure]

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    ring app{MPI_COMM_WORLD, 1024};
    measure(app); // the group is destroyed at the end of this function, before MPI_Finalize
    app.exchange();
    auto const correct = app.correct();
    MPI_Finalize();
    return correct ? 0 : 1;
}
