// SPDX-License-Identifier: BSL-1.0

// The same MPI_Allreduce of 8 bytes and of 64 KiB, by Sonde and by a loop written by hand.

#include "pairs.hpp"

#include <sonde/mpi.hpp>
#include <sonde/mpi/collective.hpp>

#include <mpi.h>

#include <string>

namespace {

int compare(sonde::mpi::group& world, std::size_t bytes, amount much) {
    auto const elements = static_cast<int>(bytes / sizeof(double));
    sonde::host_allocation const memory{2 * bytes};
    auto const out = memory.bytes().first(bytes), in = memory.bytes().last(bytes);
    sonde::mpi::blocking pattern{sonde::mpi::allreduce{world, {MPI_DOUBLE, bytes / sizeof(double)}, MPI_SUM},
                                 sonde::slice{out}, sonde::slice{in}};
    auto const iterate = [&](std::size_t n) {
        for (std::size_t i = 0; i < n; ++i)
            MPI_Allreduce(out.data(), in.data(), elements, MPI_DOUBLE, MPI_SUM, world.comm());
    };
    auto const found =
        ratios([&] { return by_sonde(world, much, pattern); }, [&] { return by_hand(world, much, iterate); });
    auto const what =
        "an allreduce of " + std::to_string(bytes) + " bytes on " + std::to_string(world.size()) + " ranks";
    return world.rank() == 0 ? judge(what.c_str(), found, 0.03) : 0;
}

int compare() {
    sonde::mpi::group world{MPI_COMM_WORLD};
    return compare(world, 8, {500, 50}) | compare(world, 65536, {200, 5});
}

} // namespace

int main(int argc, char** argv) {
    return run_benchmark(argc, argv, [] { return compare(); });
}
