// SPDX-License-Identifier: BSL-1.0

// A comparison of three implementations of the exchange of an application, and the choice of the fastest.

#include "ring.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/mpi.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <cstddef>
#include <cstdio>

// [exchange]
/// The exchange of the ring by nonblocking messages, with the array cut into `pieces`.
void exchange_nonblocking(int pieces, ring& app) {
    int rank = 0, size = 0;
    MPI_Comm_rank(app.comm(), &rank);
    MPI_Comm_size(app.comm(), &size);
    std::array<MPI_Request, 8> requests;
    auto const length = app.mine().size() / static_cast<std::size_t>(pieces);
    for (int i = 0; i != pieces; ++i) {
        auto const first = static_cast<std::size_t>(i) * length;
        auto const n = static_cast<int>(length);
        auto* const pair = &requests[2 * static_cast<std::size_t>(i)];
        MPI_Irecv(&app.theirs()[first], n, MPI_DOUBLE, (rank + size - 1) % size, i, app.comm(), pair);
        MPI_Isend(&app.mine()[first], n, MPI_DOUBLE, (rank + 1) % size, i, app.comm(), pair + 1);
    }
    MPI_Waitall(2 * pieces, requests.data(), MPI_STATUSES_IGNORE);
}
// [/exchange]

std::size_t choose(sonde::mpi::group& ranks, ring& app) {
    // [compare]
    auto const plan = sonde::plan<>{}.until(sonde::samples{200} || sonde::time_budget{sonde::seconds{0.5}});
    auto const found = sonde::compare(
        ranks, plan, sonde::named{"present", [&] { app.exchange(); }}, // the base: the application's present code
        sonde::named{"nonblocking", [&] { exchange_nonblocking(1, app); }},
        sonde::named{"four pieces", [&] { exchange_nonblocking(4, app); }});
    auto const chosen = sonde::fastest(found); // equal on all ranks, so that all ranks make the same exchange
    // [/compare]
    if (ranks.rank() != 0) return chosen;
    sonde::comparison_table{stdout}(found);
    std::printf("chosen: %s\n", found.records[chosen].point.name.c_str());
    return chosen;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    ring app{MPI_COMM_WORLD, 1024};
    bool equal = false;
    {
        sonde::mpi::group ranks{app.comm()};
        std::array<double, 2> chosen{static_cast<double>(choose(ranks, app)), 0};
        chosen[1] = -chosen[0];
        ranks.all_reduce(chosen, sonde::reduction::max);
        equal = chosen[0] == -chosen[1];
    }
    auto const correct = app.correct() && equal;
    MPI_Finalize();
    return correct ? 0 : 1;
}
