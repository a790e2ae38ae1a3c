// SPDX-License-Identifier: BSL-1.0

// What a monitor costs an application: time steps of `heat` on this job's ranks with and without it, compared by
// Sonde, and the time that the process that writes needs in each interval.

#include "limit.hpp"

#include "embed/heat/field.hpp"
#include "embed/heat/halos.hpp"
#include "embed/heat/solver.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/monitor.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

constexpr sonde::seconds interval{10};

/// Median time of ten files, and of the searches for late ranks and changes.
double seconds_of_file(sonde::monitor& monitor) {
    std::vector<double> times;
    for (int i = 0; i != 11; ++i) {
        auto const begin = sonde::steady_clock::now();
        monitor.write();
        times.push_back(sonde::seconds{sonde::steady_clock::now() - begin}.count());
    }
    std::sort(times.begin(), times.end());
    return times[5];
}

int compare_steps(MPI_Comm comm) {
    heat::grid const grid{512, 512};
    heat::decomposition const part{comm, grid};
    sonde::mpi::group ranks{part.comm()};
    heat::step_scopes alone{part.neighbors()}, shown{part.neighbors()};
    sonde::monitor monitor{ranks, "bench_monitor.prom", {.interval = interval}};
    shown.show_in(monitor);
    heat::field u{part.rows().count, part.columns().count}, next{u.rows(), u.columns()};
    heat::set_initial_temperatures(u, grid, part.rows(), part.columns());
    heat::packed_halo halo{part, u};
    auto const w = heat::weights_of(grid, 0.9 * heat::stable_time_step(grid));
    auto const step = [&](heat::step_scopes& scopes) { heat::advance(u, next, w, 2, halo, scopes); };
    auto const plan = sonde::plan<>{}.until(sonde::samples{50'000} || sonde::time_budget{sonde::seconds{25}});
    auto const found = sonde::compare(ranks, plan, sonde::named{"without", [&] { step(alone); }},
                                      sonde::named{"with", [&] { step(shown); }});
    auto const speedup = sonde::speedup_interval(found, 1);
    auto const written = seconds_of_file(monitor);
    if (part.rank() != 0) return 0;
    std::printf("two steps: %.4g us, %zu rounds; speed-up with a monitor %.5f", //
                1e6 * sonde::median(found.records[0]).count(), found.records[0].stop.samples, sonde::speedup(found, 1));
    if (speedup) std::printf(" (95 %% interval %.5f to %.5f)", speedup->low, speedup->high);
    std::puts("");
    return report("% of a time step for a monitor", 100 * (1 / sonde::speedup(found, 1) - 1), 0.1) +
           report("% of a core for the file", 100 * written / interval.count(), 0.1);
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const missed = compare_steps(MPI_COMM_WORLD);
    MPI_Finalize();
    return missed == 0 ? 0 : 1;
}
