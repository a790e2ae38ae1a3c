// SPDX-License-Identifier: BSL-1.0

// A measurement and a comparison in one call each, printed by rank 0.

// [once]
#include "ring.hpp" // the application, which does not use Sonde

#include <sonde/mpi/measure.hpp>

void look(ring& app) {
    auto const exchange = [&] { app.exchange(); };
    sonde::mpi::measure(app.comm(), "ring", {.bytes = app.bytes()}, exchange);
    auto const as_floats = [&] { app.exchange_as_floats(); };
    auto const found = sonde::mpi::compare(app.comm(), {{"double", exchange}, {"float", as_floats}});
    if (sonde::fastest(found) == 1) app.use_single_precision(); // alternative 1, on all ranks
}
// [/once]

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    ring app{MPI_COMM_WORLD, 1024};
    look(app);
    app.exchange();
    auto const correct = app.correct();
    MPI_Finalize();
    return correct ? 0 : 1;
}
