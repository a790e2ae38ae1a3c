// SPDX-License-Identifier: BSL-1.0

// session WAY: the session and the end of a program.
//
//     alone          returns 0
//     beside_mpi     MPI is initialized before the session and, unless OpenSHMEM has finalized it, finalized after it
//     failed         the last PE returns 3, after all work is done
//     throws         the last PE throws in abort_on_exception, while the others wait for it
//     unwound        all PEs leave the session by an exception, which main reports

#include <sonde/mpi/group.hpp>
#include <sonde/shmem.hpp>

#include <mpi.h>
#include <shmem.h>

#include <cstdio>
#include <stdexcept>
#include <string_view>

namespace {

/// True if groups of both libraries have this process under the same rank, and agree on a sum.
bool both_agree() {
    sonde::shmem::group pes;
    sonde::mpi::group const processes{MPI_COMM_WORLD};
    double by_shmem[1] = {1.0 + pes.rank()}, by_mpi[1] = {1.0 + processes.rank()};
    pes.all_reduce(by_shmem, sonde::reduction::sum);
    processes.all_reduce(by_mpi, sonde::reduction::sum);
    return pes.size() == processes.size() && pes.rank() == processes.rank() && by_shmem[0] == by_mpi[0];
}

int work(std::string_view way) {
    auto const is_last = shmem_my_pe() == shmem_n_pes() - 1;
    sonde::shmem::group pes;
    sonde::shmem::symmetric_allocation const memory{1 << 20}; // freed memory and memory of the session, in every way
    if (way == "throws" && is_last) throw std::runtime_error{"the fifth wheel came off"};
    if (way == "unwound") throw std::runtime_error{"all wheels came off"};
    pes.barrier();
    if (way == "beside_mpi" && !both_agree()) return 1;
    return way == "failed" && is_last ? 3 : 0;
}

int run_session(std::string_view way) {
    sonde::shmem::session const session;
    if (session.threads() < SHMEM_THREAD_SINGLE) return 1;
    if (way == "unwound") return work(way);
    return sonde::shmem::abort_on_exception([&] { return work(way); });
}

} // namespace

int main(int argc, char** argv) {
    std::string_view const way{argc > 1 ? argv[1] : ""};
    if (way == "beside_mpi") MPI_Init(&argc, &argv);
    auto status = 1;
    try {
        status = run_session(way);
    } catch (std::runtime_error const& e) {
        std::printf("caught: %s\n", e.what());
    }
    auto finalized = 0;
    if (way == "beside_mpi" && MPI_Finalized(&finalized) == MPI_SUCCESS && finalized == 0) MPI_Finalize();
    if (way == "alone" && status == 0) std::puts("ended");
    return status;
}
