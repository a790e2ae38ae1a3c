// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstddef>
#include <vector>

namespace sonde::detail {

struct rank_pair {
    std::size_t low;  // 0: there is none
    std::size_t high; // n + 1: there is none
};

/// P(B = k), k = 0 .. n, B ~ Bin(n, q), 0 < q < 1: by the recurrence from the mode outwards, which neither underflows
/// at the start nor overflows in between, scaled to sum to one.
inline std::vector<double> binomial_probabilities(std::size_t n, double q) {
    std::vector<double> p(n + 1, 0.0);
    auto const odds = q / (1 - q);
    auto mode = static_cast<std::size_t>(static_cast<double>(n + 1) * q);
    if (mode > n) mode = n;
    p[mode] = 1;
    double sum = 1;
    constexpr double negligible = 1e-25;
    for (auto k = mode; k != 0 && p[k] > negligible; --k)
        sum += p[k - 1] = p[k] * static_cast<double>(k) / (static_cast<double>(n - k + 1) * odds);
    for (auto k = mode; k != n && p[k] > negligible; ++k)
        sum += p[k + 1] = p[k] * static_cast<double>(n - k) * odds / static_cast<double>(k + 1);
    for (auto& weight : p) weight /= sum;
    return p;
}

/// The largest rank l with P(B <= l - 1) <= tail and the smallest u with P(B >= u) <= tail, ranks from 1.
inline rank_pair binomial_ranks(std::size_t n, double q, double tail) {
    auto const p = binomial_probabilities(n, q);
    std::size_t low = 0, high = n + 1;
    for (double below = p[0]; below <= tail && low != n; below += p[low]) ++low;
    for (double above = p[n]; above <= tail && high != 1; above += p[high - 1]) --high;
    return {low, high};
}

/// The square root, by Newton's method from above: <cmath> would cost every including file 0.1 s.
inline double square_root(double x) {
    if (!(x > 0)) return 0;
    auto root = x < 1 ? 1 : x;
    for (auto next = (root + x / root) / 2; next < root; next = (root + x / root) / 2) root = next;
    return root;
}

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
