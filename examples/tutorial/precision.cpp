// SPDX-License-Identifier: BSL-1.0

// A measurement that ends at a given precision of the median, and one with a synchronized start of all ranks.

#include "ring.hpp"

#include <sonde/mpi.hpp>
#include <sonde/report/to_string.hpp>
#include <sonde/sonde.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

sonde::record measure(sonde::mpi::group& ranks, ring& app) {
    // [plan]
    auto const rule = sonde::relative_error{0.02}.within(sonde::seconds{0.5});
    auto const plan = sonde::plan<>{}.warmup(sonde::until_stable{}).batch(sonde::by_timer).until(rule);
    auto const r = sonde::run(ranks, plan, [&] { app.exchange(); });
    // [/plan]
    return r;
}

void print(sonde::record const& r) {
    auto const median = sonde::estimate_median(r);
    auto const outliers = sonde::tukey_outliers(r);
    auto const error = median.relative_error().value_or(1); // 100 % where samples are too few for an interval
    std::printf("median %.2f us, relative error %.1f %%; %zu samples, batch %zu, stopped by: %s\n",
                1e6 * median.value.count(), 100 * error, r.stop.samples, r.batch, to_string(r.stop.reason));
    std::printf("autocorrelation time %.1f samples; outliers: %zu fast, %zu slow; flags: %s\n", median.tau,
                outliers.below, outliers.above, to_string(r.flags).c_str());
    for (auto const& text : sonde::straggler_texts(r)) std::puts(text.c_str());
}

sonde::record measure_synchronized(sonde::mpi::group& ranks, ring& app) {
    // [synchronized_start]
    auto const rule = sonde::samples{1000} || sonde::time_budget{sonde::seconds{0.5}};
    auto const plan = sonde::plan<>{}.synchronized(sonde::synchronized_start{ranks}).until(rule);
    auto const r = sonde::run(ranks, plan, [&] { app.exchange(); });
    // [/synchronized_start]
    return r;
}

void print_global(sonde::record const& r) {
    auto const us = [](std::vector<sonde::seconds> const& times) { return 1e6 * sonde::median(times).count(); };
    std::printf("medians: time of the slowest rank %.2f us, from first begin to last end %.2f us\n", us(r.series),
                us(r.global->series));
    std::printf("entry skew %.2f us, exit skew %.2f us; error bound %.2f us; late samples: %zu; flags: %s\n",
                us(r.global->entry_skews), us(r.global->exit_skews), 1e6 * r.global->error_bound.count(),
                r.global->late_samples, to_string(r.flags).c_str());
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto correct = true;
    {
        ring app{MPI_COMM_WORLD, 1024};
        sonde::mpi::group ranks{app.comm()};
        auto const precise = measure(ranks, app), synchronized = measure_synchronized(ranks, app);
        if (ranks.rank() == 0) {
            print(precise);
            print_global(synchronized);
        }
        auto const is_precise = precise.stop.reason == sonde::stop_reason::precision;
        correct = app.correct() &&
                  (!is_precise || sonde::estimate_median(precise).relative_error().value_or(1) <= 0.02) &&
                  synchronized.global->series.size() == synchronized.series.size();
    }
    MPI_Finalize();
    return correct ? 0 : 1;
}
