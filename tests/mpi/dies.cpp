// SPDX-License-Identifier: BSL-1.0

// A rank dies in the middle of a measurement, in a job that survives it (`mpirun --with-ft ulfm` of Open MPI 5): the
// others keep their records and name it. "caught": the application catches the exception; otherwise
// sonde::mpi::abort_on_exception ends the job. Pairs exchange messages, so that some ranks do not talk to the dead one.

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr int dead = 2;

/// Measures a ping-pong of pairs, several times; rank 2 dies in the third.
void measure(int& records) {
    sonde::mpi::group const ranks{MPI_COMM_WORLD};
    std::vector<std::byte> out(8), in(8);
    sonde::slice const sent{out}, received{in};
    auto const pair = sonde::pair_of(ranks.rank(), ranks.size() / 2);
    sonde::mpi::link const link{ranks, pair.peer};
    for (int i = 0; i != 5; ++i) {
        sonde::ping_pong exchange{link, pair.role, sent, received};
        int iterations = 0;
        static_cast<void>(sonde::run(ranks, sonde::plan<>{}, [&] {
            if (i == 2 && ranks.rank() == dead && ++iterations == 20) std::raise(SIGKILL);
            exchange();
        }));
        ++records;
    }
}

int caught(int rank) {
    int records = 0;
    try {
        measure(records);
    } catch (sonde::mpi::process_failure const& e) {
        std::printf("rank %d kept %d records; %s\n", rank, records, e.what());
        std::fflush(stdout);
        return e.ranks() == std::vector{dead} && records == 2 ? 3 : 1;
    }
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, records = 0, status = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && std::string_view{argv[1]} == "caught") status = caught(rank);
    else sonde::mpi::abort_on_exception(MPI_COMM_WORLD, [&] { measure(records); });
    std::this_thread::sleep_for(std::chrono::seconds{1}); // the launcher ends the others at the first exit
    std::_Exit(status); // MPI_Finalize of Open MPI 5.0 at times waits for the dead rank
}
