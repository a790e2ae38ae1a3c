// SPDX-License-Identifier: BSL-1.0

// Hosts whose monotonic clocks have offsets that the kernel knows (time namespaces). Prints the largest error of a
// rank's global time in any sample, and the bound and the deviation of the record, in seconds.

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace mpi = sonde::mpi;

/// Offset of this host's monotonic clock.
sonde::seconds known_offset() {
    std::ifstream file{"/proc/self/timens_offsets"};
    std::string clock;
    double seconds = 0, nanoseconds = 0;
    while (file >> clock >> seconds >> nanoseconds)
        if (clock == "monotonic" || clock == "1") return sonde::seconds{seconds + 1e-9 * nanoseconds};
    throw std::runtime_error{"/proc/self/timens_offsets has no offset of the monotonic clock"};
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    mpi::abort_on_exception(MPI_COMM_WORLD, [] {
        mpi::group const ranks{MPI_COMM_WORLD};
        auto const offset = known_offset();
        sonde::steady_clock clock;
        auto start = sonde::synchronized_start{ranks, clock, {.offsets = 100}};

        std::vector<double> origins; // the kernel's time at the origin of global time, by this rank, in each sample
        auto const pattern = [&] {
            auto const reading = sonde::reading(clock);
            origins.push_back((reading - offset - start.to_global(reading)).count());
        };
        auto const plan = sonde::plan<>{}.warmup(0).batch(1).synchronized(start).until(sonde::samples{200});
        auto const r = sonde::run(ranks, plan, pattern);

        auto of_root = origins;
        sonde::broadcast(ranks, of_root);
        double error[] = {0};
        for (std::size_t i = 0; i != origins.size(); ++i)
            error[0] = std::max(error[0], std::fabs(origins[i] - of_root[i]));
        ranks.all_reduce(error, sonde::reduction::max);
        if (ranks.rank() == 0)
            std::printf("error %.12g\nbound %.12g\ndeviation %.12g\n", error[0], r.global->error_bound.count(),
                        r.global->deviation.count());
    });
    MPI_Finalize();
}
