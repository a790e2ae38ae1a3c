// SPDX-License-Identifier: BSL-1.0

// Which of three ways to make the application's exchange is the fastest, here and now?

#include "ring.hpp"

#include <sonde/compare.hpp>
#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <cstddef>
#include <cstdio>

namespace {

/// The ring's exchange by non-blocking messages, in so many pieces.
void exchange_in(int pieces, ring& app, MPI_Comm comm) {
    int rank = 0, size = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    std::array<MPI_Request, 8> pending;
    auto const length = app.mine().size() / static_cast<std::size_t>(pieces);
    for (int i = 0; i != pieces; ++i) {
        auto const at = static_cast<std::size_t>(i) * length;
        auto const n = static_cast<int>(length);
        auto* const two = &pending[2 * static_cast<std::size_t>(i)];
        MPI_Irecv(&app.theirs()[at], n, MPI_DOUBLE, (rank + size - 1) % size, i, comm, two);
        MPI_Isend(&app.mine()[at], n, MPI_DOUBLE, (rank + 1) % size, i, comm, two + 1);
    }
    MPI_Waitall(2 * pieces, pending.data(), MPI_STATUSES_IGNORE);
}

std::size_t choose(sonde::mpi::group& ranks, ring& app) {
    // [compare]
    auto const plan = sonde::plan<>{}.until(sonde::samples{200} || sonde::time_budget{sonde::seconds{0.5}});
    auto const found = sonde::compare(
        ranks, plan, [&] { app.exchange(); }, // the base: what the application does today
        [&] { exchange_in(1, app, app.comm()); }, [&] { exchange_in(4, app, app.comm()); });
    auto const use = sonde::fastest(found); // the same on every rank: no rank waits for a message that nobody sends
    // [/compare]
    if (ranks.rank() != 0) return use;
    // [tell]
    for (std::size_t i = 0; i != found.records.size(); ++i) {
        std::printf("way %zu: %8.2f us, %5.3f times as fast as the base", i,
                    1e6 * sonde::typical(found.records[i]).count(), sonde::speedup(found, i));
        if (auto const between = sonde::speedup_interval(found, i))
            std::printf(" (%.3f to %.3f)", between->low, between->high);
        std::printf(": %s\n", name(sonde::judge(found, i)));
    }
    std::printf("going on with way %zu\n", use);
    // [/tell]
    return use;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    ring app{MPI_COMM_WORLD, 1024};
    bool agreed = false;
    {
        sonde::mpi::group ranks{app.comm()};
        std::array<double, 2> use{static_cast<double>(choose(ranks, app)), 0};
        use[1] = -use[0];
        ranks.all_reduce(use, sonde::reduction::max);
        agreed = use[0] == -use[1];
    }
    auto const right = app.right() && agreed;
    MPI_Finalize();
    return right ? 0 : 1;
}
