// SPDX-License-Identifier: BSL-1.0

// Clocks with an offset and a drift on each simulated rank. Prints the largest deviation of a rank's global time from
// rank 0's, at one moment that the simulator knows, and the bound of the record.

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace {

namespace mpi = sonde::mpi;

/// Simulated time with an offset of up to 10 s and a drift of up to 20 us per second, by the rank.
struct skewed_clock {
    double offset = 0;
    double drift = 0;

    explicit skewed_clock(int rank) : offset{7.3 * (rank * 37 % 19) - 60}, drift{2e-6 * (rank * 53 % 21 - 10)} {}
    sonde::seconds now() const { return at(MPI_Wtime()); }
    sonde::seconds at(double true_time) const { return sonde::seconds{offset + (1 + drift) * true_time}; }
    sonde::clock_properties properties() const { return {}; }
};

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    mpi::abort_on_exception(MPI_COMM_WORLD, [] {
        mpi::group const ranks{MPI_COMM_WORLD};
        skewed_clock const clock{ranks.rank()};
        sonde::synchronized_start<skewed_clock, mpi::control_channel> start{ranks, clock, mpi::control_channel{ranks},
                                                                            "clock " + std::to_string(ranks.rank())};
        auto const plan = sonde::plan<>{}.timed_by(clock).synchronized(start).until(sonde::samples{20});
        mpi::blocking pattern{mpi::barrier{ranks}};
        auto const r = sonde::run(ranks, plan, pattern);

        start.synchronize(ranks);
        start(ranks, 0); // all ranks leave at one global time, of which each has a true time
        auto const mine = MPI_Wtime();
        double extremes[] = {mine, -mine};
        ranks.all_reduce(extremes, sonde::reduction::max);
        static_cast<void>(start.measure_deviation(ranks));
        if (ranks.rank() == 0)
            std::printf("spread %.12g\nbound %.12g\ndeviation %.12g\n", extremes[0] + extremes[1],
                        r.global->error_bound.count(), r.global->deviation.count());
    });
    MPI_Finalize();
}
