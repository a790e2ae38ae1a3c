// SPDX-License-Identifier: BSL-1.0

// A ping-pong by each of MPI's modes of sending and receiving.

#include <sonde/mpi.hpp>
#include <sonde/mpi/link_modes.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <utility>

void measure_modes(std::size_t n) {
    // [modes]
    sonde::mpi::group ranks{MPI_COMM_WORLD};
    auto const pair = sonde::pair_of(ranks.rank(), ranks.size() / 2);
    sonde::host_allocation const out{n}, in{n};
    sonde::mpi::attached_buffer const room{n}; // for buffered sends
    auto const plan = sonde::plan<>{}.batch(sonde::by_timer).until(sonde::samples{200});
    auto const measure = [&](char const* name, auto link) {
        auto const r = sonde::run(ranks, plan, sonde::ping_pong{std::move(link), pair.role, out.first(n), in.first(n)});
        if (ranks.rank() == 0 && r.initiators != 0)
            std::printf("%-16s %8.3f us\n", name, 1e6 * sonde::latency(r).count());
    };
    measure("Send", sonde::mpi::link{ranks, pair.peer});
    measure("Ssend", sonde::mpi::sync_link{ranks, pair.peer});
    measure("Bsend", sonde::mpi::buffered_link{ranks, pair.peer});
    measure("Rsend", sonde::mpi::ready_link{ranks, pair.peer, 1});
    measure("Recv any source", sonde::mpi::any_source_link{ranks, pair.peer});
    measure("Mprobe, Mrecv", sonde::mpi::mprobe_link{ranks, pair.peer});
    measure("Send_init", sonde::mpi::persistent_link{ranks, pair.peer});
    // [/modes]
    // [mpi4]
    try { // an MPI library before MPI 4.0 throws here, on all ranks
        measure("Send_c", sonde::mpi::large_count_link{ranks, pair.peer});
        measure("Psend_init", sonde::mpi::partitioned_link{ranks, pair.peer, 4}); // partitions
    } catch (std::runtime_error const& e) {
        if (ranks.rank() == 0) std::printf("%s\n", e.what());
    }
    // [/mpi4]
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    measure_modes(1024);
    MPI_Finalize();
}
