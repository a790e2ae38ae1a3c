// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "limit.hpp"

#include <sonde/mpi/error.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

// Compares a communication by Sonde with a hand-written loop, in alternating order: A B, B A, A B ...

constexpr std::size_t pairs = 20;

/// Number and length of batches, so short that most end before another process gets the core.
struct amount {
    std::size_t samples;
    std::size_t batch;
};

/// The time of an undisturbed iteration, a low quantile, since other processes make samples slower and never faster.
inline sonde::seconds undisturbed(std::vector<sonde::seconds> const& times) { return sonde::quantile(times, 0.1); }

/// One side of a comparison: `pattern` measured by Sonde.
template <sonde::Group G, sonde::Pattern P>
sonde::seconds by_sonde(G& group, amount n, P&& pattern) {
    auto const plan = sonde::plan<>{}.warmup(n.batch).batch(n.batch).until(sonde::samples{n.samples});
    return undisturbed(sonde::run(group, plan, pattern).series);
}

/// The other side of a comparison: `iterate` is a hand-written batch.
template <sonde::Group G, class Iterate>
sonde::seconds by_hand(G& group, amount n, Iterate iterate) {
    iterate(n.batch);
    group.barrier();
    std::vector<sonde::seconds> times;
    times.reserve(n.samples);
    for (std::size_t i = 0; i != n.samples; ++i) {
        auto const begin = std::chrono::steady_clock::now();
        iterate(n.batch);
        times.emplace_back((std::chrono::steady_clock::now() - begin) / static_cast<double>(n.batch));
    }
    return undisturbed(times);
}

/// The ratios of Sonde's times to hand-written times.
template <class Sonde, class Hand>
std::vector<sonde::seconds> ratios(Sonde by_sonde, Hand by_hand) {
    std::vector<sonde::seconds> found;
    for (std::size_t i = 0; i != pairs; ++i) {
        sonde::seconds ours{}, theirs{};
        if (i % 2 == 0) ours = by_sonde();
        theirs = by_hand();
        if (i % 2 != 0) ours = by_sonde();
        found.emplace_back(ours / theirs);
    }
    return found;
}

/// Prints the median ratio; returns exit status 1 if it is further from 1 than the limit.
inline int judge(char const* what, std::vector<sonde::seconds> const& found, double limit) {
    auto const middle = sonde::median(found).count();
    auto const range = sonde::median_interval(found).value();
    std::printf("ratio of %s by Sonde to one by hand: %.4f, 95 %% interval %.4f to %.4f, %zu pairs\n", what, middle,
                range.low.count(), range.high.count(), found.size());
    return report("distance of that ratio from 1", std::abs(middle - 1), limit);
}

/// `main` of a benchmark: `compare()` returns the exit status, between MPI_Init and MPI_Finalize.
template <class Compare>
int run_benchmark(int argc, char** argv, Compare compare) {
    MPI_Init(&argc, &argv);
    auto const status = sonde::mpi::abort_on_exception(MPI_COMM_WORLD, compare);
    MPI_Finalize();
    return status;
}
