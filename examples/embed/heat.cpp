// SPDX-License-Identifier: BSL-1.0

// Solver of the heat equation on any number of ranks. It compares three implementations of its halo exchange while it
// runs, and continues with the fastest.

#include "heat/options.hpp"
#include "heat/print.hpp"
#include "heat/serial.hpp"
#include "heat/solver.hpp"
#include "heat/steps.hpp"
#include "heat/tune.hpp"
#include "output.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <variant>

namespace {

using namespace heat;

void advance_by(field& u, field& next, weights w, int steps, any_halo& halo, step_scopes& scopes) {
    std::visit([&](auto& h) { advance(u, next, w, steps, h, scopes); }, halo);
}

/// True if the solution is that of a serial run. Rank 0 of the decomposition compares; the other ranks return true.
bool agrees(decomposition const& part, field const& u, weights w, int steps) {
    auto const all = collect(part, u);
    if (part.rank() != 0) return true;
    auto const d = difference(all, solve_alone(part.whole(), w, steps));
    // Both make the same operations on the same numbers, except for contractions by the compiler: one rounding a step.
    auto const fine = d <= 1e-15 * steps;
    std::printf("largest difference from the serial solution: %g (%s)\n", d, fine ? "equal" : "WRONG");
    return fine;
}

int solve(options const& o) {
    auto const dt = time_step_of(o);
    auto const w = weights_of(o.grid, dt);
    decomposition const part{MPI_COMM_WORLD, o.grid};
    step_scopes scopes;
    std::optional<recording> timeline;
    if (!o.timeline.empty()) timeline.emplace(part, o.timeline, scopes);
    field u{part.rows().count, part.columns().count}, next{u.rows(), u.columns()};
    heat_up(u, o.grid, part.rows(), part.columns());
    if (part.rank() == 0)
        std::printf("%d x %d cells on %d x %d ranks, %d steps of %.3g (stable up to %.3g)\n", o.grid.columns,
                    o.grid.rows, part.dims()[1], part.dims()[0], o.steps, dt, stable_time_step(o.grid));

    auto halos = all_halos(part, u);
    auto steps_left = o.steps;
    for (auto& halo : halos) { // some steps with each exchange, so that the check at the end covers all of them
        auto const some = std::min(10, steps_left);
        advance_by(u, next, w, some, halo, scopes);
        steps_left -= some;
    }
    auto const found = tune(part, halos, u, next);
    if (part.rank() == 0) print(found, halos);
    advance_by(u, next, w, steps_left, halos[found.fastest], scopes);
    if (timeline) timeline->write();
    return agrees(part, u, w, o.steps) ? 0 : 1;
}

/// All ranks have the same arguments and return the same status; rank 0 prints.
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
    auto const status = sonde::mpi::abort_on_exception(MPI_COMM_WORLD, [&] {
        auto const result = run(argc, argv);
        embed::require_printed(); // an exception of this rank alone ends the job
        return result;
    });
    MPI_Finalize();
    return status;
}
