// SPDX-License-Identifier: BSL-1.0

// What the application's own exchange takes, where it runs.

// [measure]
#include "ring.hpp" // the application: knows nothing of Sonde

#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstdio>

void measure(ring& app) {
    sonde::mpi::group ranks{app.comm()}; // on a duplicate of the communicator
    auto const plan = sonde::plan<>{}.until(sonde::samples{1000} || sonde::time_budget{sonde::seconds{1}});
    auto const r = sonde::run(ranks, plan, sonde::moving({.bytes = app.bytes()}, [&] { app.exchange(); }));

    if (ranks.rank() != 0) return; // the record is the same on every rank
    std::printf("%zu samples on %d ranks, %.3g MB/s\n", r.series.size(), r.ranks, sonde::bandwidth(r) / 1e6);
    std::printf("the slowest rank, median: %8.2f us\n", 1e6 * sonde::typical(r).count());
    if (auto const i = sonde::median_interval(r))
        std::printf("  with 95 %% confidence:   %8.2f to %.2f us\n", 1e6 * i->low.count(), 1e6 * i->high.count());
    if (auto const p99 = sonde::tail(r, 0.99)) std::printf("  99th percentile:        %8.2f us\n", 1e6 * p99->count());
    std::printf("mean of the ranks' means: %8.2f us\n", 1e6 * r.over_ranks.mean.count());
    std::printf("the very first exchange:  %8.2f us\n", 1e6 * r.first.count());
}
// [/measure]

// [main]
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    ring app{MPI_COMM_WORLD, 1024};
    measure(app);
    auto const right = app.right();
    MPI_Finalize();
    return right ? 0 : 1;
}
// [/main]
