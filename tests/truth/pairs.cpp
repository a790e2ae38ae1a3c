// SPDX-License-Identifier: BSL-1.0

// Ping-pongs of several pairs at once. Usage: pairs FILE DISTANCE PAIRS ...: for each distance d, a power of two, and
// number of pairs, the first pairs of ranks r and r + d. Prints "DISTANCE PAIRS BYTES MEDIAN_SECONDS" and writes the
// records to FILE, for sonde-model.

#include "common_start.hpp"

#include <sonde/json/lines.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace {

namespace mpi = sonde::mpi;

/// This rank in the ping-pongs of pairs: ranks without a partner are idle.
sonde::pairing pairing_of(int rank, int distance, int pairs) {
    auto const first = rank & ~distance, index = first / (2 * distance) * distance + first % distance;
    if (index >= pairs) return {};
    return {rank == first ? sonde::role::initiator : sonde::role::responder, rank ^ distance};
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    mpi::abort_on_exception(MPI_COMM_WORLD, [&] {
        mpi::group ranks{MPI_COMM_WORLD};
        sonde::on_root write{ranks, [&] { return sonde::json_lines{argv[1]}; }};
        auto const plan = sonde::plan<>{}
                              .timed_by(mpi::wtime{})
                              .warmup(2)
                              .synchronized(truth::common_start{})
                              .until(sonde::samples{10});
        for (int i = 2; i + 1 < argc; i += 2)
            for (std::size_t n = 8; n <= 1'048'576; n *= 8) {
                auto const distance = std::atoi(argv[i]), pairs = std::atoi(argv[i + 1]);
                auto const me = pairing_of(ranks.rank(), distance, pairs);
                sonde::host_allocation const out{n}, in{n};
                sonde::ping_pong pattern{mpi::link{ranks, me.peer}, me.role, sonde::slice{out.bytes()}, in.first(n)};
                auto const r = sonde::run(ranks, plan, pattern, {"max_rate", {{"bytes", n}, {"pairs", pairs}}});
                if (ranks.rank() == 0) std::printf("%d %d %zu %.12g\n", distance, pairs, n, sonde::median(r).count());
                write(r);
            }
    });
    MPI_Finalize();
}
