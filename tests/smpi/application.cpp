// SPDX-License-Identifier: BSL-1.0

// An application on simulated hosts, which is recorded and replayed: application PATTERN STEPS [abort]. Prints the time
// of a step, and that in calls of MPI, in microseconds: means of the ranks.

#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace {

int rank = 0, size = 1;
double in_mpi = 0;

int rank_at(int distance) { return (rank + distance + size) % size; }

/// Calls `f`, whose time is time in MPI.
void timed(auto f) {
    auto const begin = MPI_Wtime();
    f();
    in_mpi += MPI_Wtime() - begin;
}

/// Work that takes some microseconds of simulated time. The hosts have 1 Gflop/s.
void work(double microseconds) { smpi_execute_flops(microseconds * 1e3); }

/// Two exchanges with both neighbors on a ring.
void halo(int) {
    static std::vector<double> mine(4000), theirs(4000);
    for (int const distance : {1, -1})
        timed([&] {
            MPI_Sendrecv(mine.data(), 4000, MPI_DOUBLE, rank_at(distance), 1, theirs.data(), 4000, MPI_DOUBLE,
                         rank_at(-distance), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        });
}

/// Windows of messages from the even ranks to the odd ones, and an answer.
void stream(int) {
    constexpr int window = 16, count = 4096;
    static std::vector<char> bytes(window * count);
    std::array<MPI_Request, window> pending{};
    auto const partner = rank ^ 1;
    for (int i = 0; i != window; ++i)
        timed([&] {
            auto* const at = &bytes[static_cast<std::size_t>(i * count)];
            if (rank % 2 == 0)
                MPI_Isend(at, count, MPI_CHAR, partner, 2, MPI_COMM_WORLD, &pending[static_cast<std::size_t>(i)]);
            else MPI_Irecv(at, count, MPI_CHAR, partner, 2, MPI_COMM_WORLD, &pending[static_cast<std::size_t>(i)]);
        });
    timed([&] { MPI_Waitall(window, pending.data(), MPI_STATUSES_IGNORE); });
    timed([&] {
        if (rank % 2 == 0) MPI_Recv(nullptr, 0, MPI_CHAR, partner, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else MPI_Send(nullptr, 0, MPI_CHAR, partner, 3, MPI_COMM_WORLD);
    });
}

/// Two sums, and work between them.
void reductions(int) {
    static std::vector<double> numbers(512);
    timed([&] { MPI_Allreduce(MPI_IN_PLACE, numbers.data(), 512, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); });
    work(20);
    timed([&] { MPI_Allreduce(MPI_IN_PLACE, numbers.data(), 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); });
}

/// A transpose after work that takes the longer, the higher the rank.
void transposes(int) {
    static std::vector<int> mine(static_cast<std::size_t>(size) * 40), theirs(mine);
    work(100 + 50.0 * rank / size);
    timed([&] { MPI_Alltoall(mine.data(), 40, MPI_INT, theirs.data(), 40, MPI_INT, MPI_COMM_WORLD); });
}

struct pattern {
    std::string_view name;
    void (*step)(int);
};
constexpr std::array patterns{pattern{"halo", halo}, pattern{"stream", stream}, pattern{"reductions", reductions},
                              pattern{"transposes", transposes}};

void run(void (*step)(int), int steps) {
    MPI_Barrier(MPI_COMM_WORLD);
    auto const begin = MPI_Wtime();
    for (int i = 0; i != steps; ++i) step(i);
    std::array<double, 2> sums{MPI_Wtime() - begin, in_mpi};
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) std::printf("%.4f %.4f\n", sums[0] / size / steps * 1e6, sums[1] / size / steps * 1e6);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (auto const& p : patterns)
        if (argc > 2 && argv[1] == p.name) run(p.step, std::atoi(argv[2]));
    if (argc > 3 && rank == size - 1) MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
