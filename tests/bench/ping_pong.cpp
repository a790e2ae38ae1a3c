// SPDX-License-Identifier: BSL-1.0

// The same ping-pong of 8 bytes on two ranks, by Sonde and by a loop written by hand.

#include "pairs.hpp"

#include <sonde/mpi.hpp>

#include <mpi.h>

namespace {

constexpr amount much{500, 100};
constexpr int bytes = 8;

/// A hand-written batch, which ignores return codes.
void iterate(std::size_t n, std::byte* data, sonde::pairing pair, MPI_Comm comm) {
    if (pair.role == sonde::role::initiator) {
        for (std::size_t i = 0; i < n; ++i) {
            MPI_Send(data, bytes, MPI_BYTE, pair.peer, 0, comm);
            MPI_Recv(data, bytes, MPI_BYTE, pair.peer, 0, comm, MPI_STATUS_IGNORE);
        }
    } else {
        for (std::size_t i = 0; i < n; ++i) {
            MPI_Recv(data, bytes, MPI_BYTE, pair.peer, 0, comm, MPI_STATUS_IGNORE);
            MPI_Send(data, bytes, MPI_BYTE, pair.peer, 0, comm);
        }
    }
}

int compare() {
    sonde::mpi::group world{MPI_COMM_WORLD};
    if (world.size() != 2) return std::puts("needs 2 ranks"), 2;
    auto const pair = sonde::pair_of(world.rank(), 1);
    sonde::host_allocation const memory{4096};
    auto* const data = memory.bytes().data();
    auto const buffer = memory.first(bytes);
    auto const found = ratios(
        [&] {
            return by_sonde(world, much,
                            sonde::ping_pong{sonde::mpi::link{world, pair.peer}, pair.role, buffer, buffer});
        },
        [&] { return by_hand(world, much, [&](std::size_t n) { iterate(n, data, pair, world.comm()); }); });
    return world.rank() == 0 ? judge("a round trip", found, 0.02) : 0;
}

} // namespace

int main(int argc, char** argv) {
    return run_benchmark(argc, argv, [] { return compare(); });
}
