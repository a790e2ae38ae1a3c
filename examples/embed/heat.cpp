// SPDX-License-Identifier: BSL-1.0

// Heat spreads over a plate: a solver on any number of ranks that finds out for itself, while it runs, which of its
// three ways of exchanging halos is the fastest here, and goes on with that one.

#include "heat/options.hpp"
#include "heat/print.hpp"
#include "heat/serial.hpp"
#include "heat/solver.hpp"
#include "heat/tune.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <variant>

namespace {

using namespace heat;

void go_on(field& u, field& next, weights w, int steps, any_halo& way) {
    std::visit([&](auto& h) { advance(u, next, w, steps, h); }, way);
}

/// Is the solution that of one process alone? The answer of rank 0 of the decomposition; yes on the others.
bool agrees(decomposition const& part, field const& u, weights w, int steps) {
    auto const all = collect(part, u);
    if (part.rank() != 0) return true;
    auto const d = difference(all, solve_alone(part.whole(), w, steps));
    // The same operations on the same numbers; only how a compiler contracts them may differ, by a rounding a step.
    auto const fine = d <= 1e-15 * steps;
    std::printf("largest difference from the serial solution: %g (%s)\n", d, fine ? "equal" : "WRONG");
    return fine;
}

int solve(options const& o) {
    auto const dt = time_step_of(o);
    auto const w = weights_of(o.grid, dt);
    decomposition const part{MPI_COMM_WORLD, o.grid};
    field u{part.rows().count, part.columns().count}, next{u.rows(), u.columns()};
    heat_up(u, o.grid, part.rows(), part.columns());
    if (part.rank() == 0)
        std::printf("%d x %d cells on %d x %d ranks, %d steps of %.3g (stable up to %.3g)\n", o.grid.columns,
                    o.grid.rows, part.dims()[1], part.dims()[0], o.steps, dt, stable_time_step(o.grid));

    auto ways = all_halos(part, u);
    auto to_do = o.steps;
    for (auto& way : ways) { // some steps each way, so that the check at the end is one of them all
        auto const some = std::min(10, to_do);
        go_on(u, next, w, some, way);
        to_do -= some;
    }
    auto const found = tune(part, ways, u, next);
    if (part.rank() == 0) print(found, ways);
    go_on(u, next, w, to_do, ways[found.fastest]);
    return agrees(part, u, w, o.steps) ? 0 : 1;
}

/// Every rank sees the same arguments and answers the same; rank 0 says it.
int run(int argc, char** argv) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        auto const o = parse(argc, argv);
        if (!o.help) return solve(o);
        if (rank == 0) std::fputs(usage, stdout);
        return 0;
    } catch (std::invalid_argument const& e) {
        if (rank == 0) std::fprintf(stderr, "heat: %s; heat --help says what is accepted\n", e.what());
        return 2;
    }
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const status = sonde::mpi::guarded(MPI_COMM_WORLD, [&] { return run(argc, argv); });
    MPI_Finalize();
    return status;
}
