// SPDX-License-Identifier: BSL-1.0

// Computes a picture in tasks of very unequal cost. A rank that becomes free gets the number of the next task, either
// from a counter in the memory of rank 0, by one-sided communication, or from a server, which costs a worker. The
// program measures both in its own job, and continues with the better one.

#include "output.hpp"
#include "tasks/choice.hpp"
#include "tasks/compare.hpp"
#include "tasks/options.hpp"
#include "tasks/print.hpp"
#include "tasks/verdict.hpp"

#include <mpi.h>

#include <cstdio>
#include <stdexcept>

namespace {

using namespace tasks;

auto const world = MPI_COMM_WORLD;

int rank() {
    int r = 0;
    MPI_Comm_rank(world, &r);
    return r;
}

int ranks() {
    int n = 0;
    MPI_Comm_size(world, &n);
    return n;
}

/// Do the job and check it. Returns the result of the check on rank 0, and true on the other ranks.
template <class Way>
bool do_job(picture const& of, reference const& alone, Way numbers) {
    ledger done{of.tasks()};
    auto const took = time_of_job(world, of, numbers, done);
    if (rank() == 0)
        std::printf("\nall tasks (%s): %.4f s, %.2f times as fast as rank 0 alone\n", Way::name, took,
                    alone.seconds / took);
    print_spread(world, done);
    done.collect(world);
    return rank() != 0 || agrees(done, alone.done);
}

way measured(picture const& of, reference const& alone) {
    auto const found = compare(world, of, alone);
    auto const jobs = forecast_of(found.rounds, of);
    auto const taken = choose(jobs);
    if (rank() == 0) print(found, jobs, taken);
    return taken;
}

bool do_job_together(options const& o, reference const& alone) {
    auto const taken = o.way == way::measured ? measured(o.picture, alone) : o.way;
    if (taken == way::server) return do_job(o.picture, alone, server{world});
    return do_job(o.picture, alone, shared_counter{world});
}

int solve(options const& o) {
    if (rank() == 0) print(o.picture, ranks());
    auto const alone = solve_alone(world, o.picture);
    if (rank() == 0) print(alone, o.picture);
    if (ranks() != 1) return do_job_together(o, alone) ? 0 : 1;
    return do_job(o.picture, alone, own_numbers{}) ? 0 : 1;
}

/// All ranks have the same arguments and return the same status; rank 0 prints.
int run(int argc, char** argv) {
    try {
        auto const o = parse(argc, argv);
        if (!o.help) return solve(o);
        if (rank() == 0) std::fputs(usage, stdout);
        return 0;
    } catch (std::invalid_argument const& e) {
        if (rank() == 0) std::fprintf(stderr, "tasks: %s; tasks --help says what is accepted\n", e.what());
        return 2;
    }
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const status = sonde::mpi::abort_on_exception(world, [&] {
        auto const result = run(argc, argv);
        embed::require_printed(); // an exception of this rank alone ends the job
        return result;
    });
    MPI_Finalize();
    return status;
}
