// SPDX-License-Identifier: BSL-1.0

// The share of sampling in a run, for each stopping rule and a pattern of about 1 us, and the cost of metrics of a long
// series.

#include "limit.hpp"

#include <sonde/sonde.hpp>
#include <sonde/stop/precision.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

namespace {

using sonde::seconds;
using sonde::steady_clock;

/// Time from the first synchronization of samples to the reduction that ends their block, summed over blocks.
struct stopwatch {
    steady_clock::time_point begin{};
    seconds sampling{};
    bool running = false;

    void start() {
        if (!running) begin = steady_clock::now();
        running = true;
    }
    void stop() {
        if (running) sampling += steady_clock::now() - begin;
        running = false;
    }
};

/// One rank whose reductions end a block of samples.
struct watched_group : sonde::single_rank {
    stopwatch* watch;
    void all_reduce(std::span<double>, sonde::reduction) const { watch->stop(); }
};

struct watched_start {
    stopwatch* watch;
    void operator()(auto&, std::size_t) const { watch->start(); }
};

/// Per cent of a run's time without warm-up that is not sampling, including evaluations and the record.
template <sonde::StoppingRule R, class P>
double other_time(char const* name, R rule, P pattern) {
    stopwatch watch;
    watched_group alone{{}, &watch};
    auto const how = sonde::plan<>{}.warmup(0).until(rule).synchronized(watched_start{&watch});
    auto const begin = steady_clock::now();
    auto const r = sonde::run(alone, how, pattern);
    seconds const all = steady_clock::now() - begin;
    auto const other = 100 * (1 - watch.sampling / all);
    std::printf("%-44s %8zu samples, %s, %.3f s, %.3f s sampling\n", name, r.stop.samples,
                sonde::to_string(r.stop.reason), all.count(), watch.sampling.count());
    return other;
}

/// The largest percentage of all rules for one pattern, by the median of five runs each.
template <class P>
double worst_rule(char const* of, P pattern) {
    constexpr sonde::time_budget budget{seconds{0.25}};
    double worst = 0;
    auto const add = [&](char const* name, auto rule) {
        std::printf("%s, ", of);
        std::vector<double> runs;
        for (int i = 0; i != 5; ++i) runs.push_back(other_time(name, rule, pattern));
        std::sort(runs.begin(), runs.end());
        worst = std::max(worst, runs[2]);
    };
    add("samples", sonde::samples{200'000});
    add("time_budget", budget);
    add("relative_error || time_budget", sonde::relative_error{1e-6} || budget);
    add("relative_error, nearly reached", sonde::relative_error{0.0005} || budget);
    add("noise_converged || time_budget", sonde::noise_converged{1e-9} || budget);
    return worst;
}

/// The time of a record's metrics in a table and on a page, relative to the time of sorting its series once.
double metrics_over_sort() {
    sonde::record r;
    r.batch = 1;
    std::size_t random = 1;
    for (std::size_t i = 0; i != std::size_t{1} << 20; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        r.series.emplace_back(1e-6 * (1 + 0.1 * static_cast<double>(random >> 11) * 0x1p-53));
    }
    std::vector<double> ratios;
    for (int i = 0; i != 7; ++i) {
        auto const begin = steady_clock::now();
        auto volatile keep = sonde::median(r).count() + sonde::estimate_median(r).tau +
                             sonde::median_interval(r)->low.count() + sonde::percentile(r, 0.99)->count() +
                             static_cast<double>(sonde::tukey_outliers(r).above);
        auto const middle = steady_clock::now();
        keep = sonde::detail::ascending(r.series).front().count();
        auto const end = steady_clock::now();
        static_cast<void>(keep);
        ratios.push_back(seconds{middle - begin} / seconds{end - middle});
    }
    std::sort(ratios.begin(), ratios.end());
    return ratios[3];
}

} // namespace

int main() {
    steady_clock clock;
    static_cast<void>(sonde::clock_properties_of(clock)); // once a process
    sonde::multiply_chain work;
    auto const steady = worst_rule("steady samples", [&] { work(900); });
    std::size_t i = 0; // correlated samples: 200 short ones, 200 longer ones
    auto const correlated = worst_rule("correlated samples", [&] { work(++i / 200 % 2 == 0 ? 800 : 1000); });
    return report("per cent of a run that is not sampling, steady samples", steady, 5) |
           report("per cent of a run that is not sampling, correlated samples", correlated, 5) |
           report("time of a record's metrics over that of one sort", metrics_over_sort(), 1);
}
