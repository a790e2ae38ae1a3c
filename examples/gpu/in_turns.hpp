// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace gpu {

/// Number of iterations in one measurement.
constexpr std::size_t iterations = 50;

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Median time of f() in seconds, measured without Sonde.
template <class F>
double median_time(F f) {
    std::vector<double> times(iterations);
    for (auto& t : times) {
        auto const begin = std::chrono::steady_clock::now();
        f();
        t = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    return median(std::move(times));
}

inline void heading() {
    std::printf("%-16s %10s %12s %12s %9s %9s %9s\n", "what", "bytes", "by hand us", "Sonde us", "GB/s", "GB/s",
                "Sonde");
}

/// Print a row with the medians of 11 measurements by hand and 11 by Sonde, which return seconds. They alternate, so
/// that changes of the machine affect both. Returns the relative excess of Sonde's time: 0.01 is 1 %.
template <class ByHand, class BySonde>
double in_turns(char const* what, std::size_t bytes, ByHand by_hand, BySonde by_sonde) {
    std::vector<double> hand, own;
    by_hand(); // the first measurement is slower
    for (int turn = 0; turn != 11; ++turn) {
        hand.push_back(by_hand());
        own.push_back(by_sonde());
    }
    auto const h = median(hand), s = median(own);
    auto const rate = 1e-9 * static_cast<double>(bytes);
    std::printf("%-16s %10zu %12.2f %12.2f %9.3f %9.3f %+7.2f %%\n", what, bytes, 1e6 * h, 1e6 * s, rate / h, rate / s,
                100 * (s / h - 1));
    return s / h - 1;
}

} // namespace gpu
