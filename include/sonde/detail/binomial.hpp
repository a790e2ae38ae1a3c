// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace sonde::detail {

struct rank_pair {
    std::size_t low;  // 0: there is none
    std::size_t high; // n + 1: there is none
};

/// P(B = k), B ~ Bin(n, q), for the k where it is not negligible: first, first + 1 ..
struct binomial_weights {
    std::size_t first;
    std::vector<double> at;
};

/// 0 < q < 1. By the recurrence from the mode outwards, which neither underflows at the start nor overflows in between,
/// scaled to sum to one: O(sqrt(n)) values.
inline binomial_weights binomial_probabilities(std::size_t n, double q) {
    constexpr double negligible = 1e-25;
    auto const odds = q / (1 - q);
    auto mode = static_cast<std::size_t>(static_cast<double>(n + 1) * q);
    if (mode > n) mode = n;
    std::vector<double> below, p{1};
    double sum = 1, last = 1;
    for (auto k = mode; k != 0 && last > negligible; --k)
        sum += below.emplace_back(last *= static_cast<double>(k) / (static_cast<double>(n - k + 1) * odds));
    p.insert(p.begin(), below.rbegin(), below.rend());
    last = 1;
    for (auto k = mode; k != n && last > negligible; ++k)
        sum += p.emplace_back(last *= static_cast<double>(n - k) * odds / static_cast<double>(k + 1));
    for (auto& weight : p) weight /= sum;
    return {mode - below.size(), std::move(p)};
}

/// The largest rank l with P(B <= l - 1) <= tail and the smallest u with P(B >= u) <= tail, ranks from 1.
inline rank_pair binomial_ranks(std::size_t n, double q, double tail) {
    auto const p = binomial_probabilities(n, q);
    auto const size = p.at.size();
    std::size_t low = 0, high = size;
    for (double below = p.at[0]; below <= tail && low + 1 != size; below += p.at[low]) ++low;
    for (double above = p.at[size - 1]; above <= tail && high != 1; above += p.at[high - 1]) --high;
    return {p.first + low, p.first + high};
}

/// Square root of x, or 0 unless x is positive. By the builtin: <cmath> would cost every including file 0.1 s.
inline double square_root(double x) { return x > 0 ? __builtin_sqrt(x) : 0; }

inline std::size_t rounded_up(double x) {
    auto const whole = static_cast<std::size_t>(x);
    return whole + (x > static_cast<double>(whole));
}

/// Ranks of n sorted values, sqrt(tau) times as far from the middle of the pair, outwards to whole ranks.
inline rank_pair widened(rank_pair ranks, std::size_t n, double tau) {
    if (!(tau > 1) || ranks.low == 0 || ranks.high > n) return ranks;
    auto const low = static_cast<double>(ranks.low), high = static_cast<double>(ranks.high);
    auto const middle = (low + high) / 2, reach = square_root(tau) * (high - low) / 2;
    auto const above = rounded_up(middle + reach);
    return {middle - reach < 1 ? 0 : static_cast<std::size_t>(middle - reach), above > n ? n + 1 : above};
}

} // namespace sonde::detail
