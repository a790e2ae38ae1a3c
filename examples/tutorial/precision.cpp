// SPDX-License-Identifier: BSL-1.0

// Measure until the median is known well enough, and look at what else the record says.

#include "ring.hpp"

#include <sonde/mpi/clock_window.hpp>
#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

sonde::record measure(sonde::mpi::group& ranks, ring& app) {
    // [plan]
    auto const enough = sonde::relative_error{0.02} || sonde::time_budget{sonde::seconds{0.5}};
    auto const plan = sonde::plan<>{}.warmup(sonde::until_stable{}).batch(sonde::by_timer).until(enough);
    auto const r = sonde::run(ranks, plan, [&] { app.exchange(); });
    // [/plan]
    return r;
}

void tell(sonde::record const& r) {
    // [tell]
    auto const found = sonde::estimate_median(r);
    auto const beyond = sonde::outside_fences(r);
    std::printf("%.2f us, known to %.1f %%: %zu samples of %zu exchanges each, ended by: %s\n",
                1e6 * found.value.count(), 100 * found.relative_error(), r.stopped.samples, r.batch,
                name(r.stopped.reason));
    std::printf("one sample in %.1f tells something new; outside the fences: %zu below, %zu above; flags: %s\n",
                found.tau, beyond.below, beyond.above, words_of(r.flags).c_str());
    for (auto const rank : sonde::asymmetric_ranks(r))
        std::printf("rank %d is the slowest more often than chance allows: in %zu samples\n", rank,
                    r.slowest[static_cast<std::size_t>(rank)]);
    // [/tell]
}

sonde::record by_one_clock(sonde::mpi::group& ranks, ring& app) {
    // [window]
    auto const enough = sonde::samples{1000} || sonde::time_budget{sonde::seconds{0.5}};
    auto const plan = sonde::plan<>{}.synchronized(sonde::mpi::clock_window(ranks)).until(enough);
    auto const r = sonde::run(ranks, plan, [&] { app.exchange(); });
    // [/window]
    return r;
}

void tell_global(sonde::record const& r) {
    // [tell_global]
    auto const us = [](std::vector<sonde::seconds> const& times) { return 1e6 * sonde::median(times).count(); };
    std::printf("slowest rank's own time %.2f us, from first begin to last end %.2f us; flags: %s\n", us(r.series),
                us(r.global->series), words_of(r.flags).c_str());
    std::printf("ranks began %.2f us apart, ended %.2f us apart; %zu samples taken again; a global time is wrong by "
                "%.2f us at most\n",
                us(r.global->entry_skews), us(r.global->exit_skews), r.global->redone, 1e6 * r.global->bound.count());
    // [/tell_global]
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto right = true;
    {
        ring app{MPI_COMM_WORLD, 1024};
        sonde::mpi::group ranks{app.comm()};
        auto const precise = measure(ranks, app), global = by_one_clock(ranks, app);
        if (ranks.rank() == 0) tell(precise), tell_global(global);
        auto const said_known = precise.stopped.reason == sonde::stop_reason::precision;
        right = app.right() && (!said_known || sonde::estimate_median(precise).relative_error() <= 0.02) &&
                global.global->series.size() == global.series.size();
    }
    MPI_Finalize();
    return right ? 0 : 1;
}
