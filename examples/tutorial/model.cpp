// SPDX-License-Identifier: BSL-1.0

// A model's prediction of the exchange, beside the measured time. The parameters are those of sonde-model.

#include "ring.hpp"

#include <sonde/model.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>

// [model]
/// Half a ping-pong of 8 KiB to 256 KiB, as `sonde-model fit` found it.
constexpr sonde::model::hockney network{.alpha = sonde::seconds{2.715e-6}, .r_inf = sonde::model::rate{14.91e9}};
// [/model]

double microseconds(sonde::seconds t) { return 1e6 * t.count(); }

/// True if the times are positive. Collective.
bool compare_with_model(int elements) {
    ring app{MPI_COMM_WORLD, elements};
    sonde::mpi::group ranks{app.comm()};
    auto const r = sonde::run(ranks, sonde::plan<>{}, [&] { app.exchange(); });
    auto const measured = sonde::median(r), predicted = network.time(app.bytes());
    if (ranks.rank() == 0)
        std::printf("%7zu bytes: measured %6.1f us, predicted %6.1f us\n", app.bytes(), microseconds(measured),
                    microseconds(predicted));
    return measured > sonde::seconds{} && predicted > network.alpha;
}

void print_lower_bound() {
    auto const bound = sonde::model::collectives::broadcast(network, 64, 100'000);
    std::printf("a broadcast of 100,000 bytes to 64 processes takes at least %.1f us\n", microseconds(bound));
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bool correct = true;
    for (int const elements : {1024, 8192, 32768}) correct = compare_with_model(elements) && correct;
    if (rank == 0) print_lower_bound();
    MPI_Finalize();
    return correct ? 0 : 1;
}
