// SPDX-License-Identifier: BSL-1.0

// A ring of messages and equal work on simulated ranks, of which one host or link may be slow. Prints the ranks that
// finish last by the record, the slowest rank's median, and the mean of the ranks' means that OMB prints.

#include <sonde/mpi.hpp>
#include <sonde/mpi/exchange.hpp>
#include <sonde/sonde.hpp>

#include <smpi/smpi.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>

int main(int argc, char** argv) {
    namespace mpi = sonde::mpi;
    MPI_Init(&argc, &argv);
    mpi::abort_on_exception(MPI_COMM_WORLD, [&] {
        mpi::group const ranks{MPI_COMM_WORLD};
        auto const bytes = static_cast<std::size_t>(std::atoll(argv[1]));
        auto const flops = std::atof(argv[2]);
        auto const pair = sonde::pair_of(ranks.rank(), ranks.size() / 2);
        sonde::host_allocation const out{bytes}, in{bytes};
        sonde::ping_pong messages{mpi::link{ranks, pair.peer}, pair.role, out.first(bytes), in.first(bytes)};
        auto noise = [&, i = 0]() mutable { // up to 2 %, by rank and iteration
            return 0.02 * (static_cast<unsigned>(++i * 7919 + ranks.rank() * 104'729) % 1000) / 1000;
        };
        sonde::with_setup step{[=]() mutable { smpi_execute_flops(flops * (1 + noise())); }, std::move(messages)};
        auto const plan =
            sonde::plan<>{}.timed_by(mpi::wtime{}).synchronized(sonde::barrier_each{}).until(sonde::samples{200});
        auto const r = sonde::run(ranks, plan, step);
        if (ranks.rank() != 0) return;
        std::printf("stragglers");
        for (auto const rank : r.stragglers) std::printf(" %d", rank);
        std::printf("\nslowest %.12g\nmean_of_means %.12g\n", sonde::median(r).count(), r.over_ranks.mean.count());
    });
    MPI_Finalize();
}
