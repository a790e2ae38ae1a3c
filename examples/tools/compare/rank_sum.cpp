// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tools {

namespace {

using sonde::seconds;

constexpr std::size_t most_for_exact = 60;

/// Ranks of the times of both samples. Equal times share the mean of their ranks; ranks are doubled to be integers.
struct ranks {
    std::vector<seconds> sorted;
    std::vector<std::size_t> doubled;
    double ties = 0; // sum of t^3 - t over all groups of t equal times

    ranks(std::span<seconds const> a, std::span<seconds const> b) : sorted{a.begin(), a.end()} {
        sorted.insert(sorted.end(), b.begin(), b.end());
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t first = 0; first != sorted.size();) first = add_ties(first);
    }

    /// Ranks the group of equal times from `first` on; returns its end.
    std::size_t add_ties(std::size_t first) {
        auto last = first + 1;
        while (last != sorted.size() && sorted[last] == sorted[first]) ++last;
        doubled.insert(doubled.end(), last - first, first + last + 1);
        auto const t = static_cast<double>(last - first);
        ties += t * t * t - t;
        return last;
    }

    std::size_t of(seconds t) const {
        return doubled[static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), t) - sorted.begin())];
    }
    std::size_t doubled_sum(std::span<seconds const> times) const {
        return std::accumulate(times.begin(), times.end(), std::size_t{},
                               [&](std::size_t sum, seconds t) { return sum + of(t); });
    }
};

/// Number of subsets of `count` ranks, for each of their sums.
std::vector<double> ways_to_sum(std::vector<std::size_t> const& doubled, std::size_t count) {
    auto const largest = std::accumulate(doubled.begin(), doubled.end(), std::size_t{});
    std::vector<std::vector<double>> ways(count + 1, std::vector<double>(largest + 1));
    ways[0][0] = 1;
    std::size_t reached = 0, items = 0;
    for (auto const rank : doubled) {
        reached += rank;
        for (auto k = std::min(++items, count); k != 0; --k)
            for (auto sum = rank; sum <= reached; ++sum) ways[k][sum] += ways[k - 1][sum - rank];
    }
    return ways[count];
}

/// Exact p of the doubled rank sum of m values.
double exact_p(ranks const& all, std::size_t doubled_sum, std::size_t m) {
    auto const mean = m * (all.sorted.size() + 1);
    auto const from_mean = [&](std::size_t sum) { return sum > mean ? sum - mean : mean - sum; };
    auto const ways = ways_to_sum(all.doubled, m);
    double as_far = 0, total = 0;
    for (std::size_t sum = 0; sum != ways.size(); ++sum) {
        total += ways[sum];
        if (from_mean(sum) >= from_mean(doubled_sum)) as_far += ways[sum];
    }
    return as_far / total;
}

/// Normal approximation of p for samples of m and n values.
double normal_p(ranks const& all, std::size_t doubled_sum, double m, double n) {
    auto const both = m + n;
    auto const variance = m * n / 12 * (both + 1 - all.ties / (both * (both - 1)));
    auto const away = std::abs(static_cast<double>(doubled_sum) - m * (both + 1)) / 2 - 0.5;
    return variance > 0 && away > 0 ? std::erfc(away / std::sqrt(2 * variance)) : 1;
}

} // namespace

double rank_sum_p(std::span<seconds const> a, std::span<seconds const> b) {
    if (a.empty() || b.empty()) return 1;
    ranks const all{a, b};
    auto const sum = all.doubled_sum(a);
    if (all.sorted.size() <= most_for_exact) return exact_p(all, sum, a.size());
    return normal_p(all, sum, static_cast<double>(a.size()), static_cast<double>(b.size()));
}

double smallest_p(std::size_t m, std::size_t n) {
    constexpr double many = 1e200; // the number grows with each step, and would become infinite
    double ways = 1;
    for (std::size_t i = 1; i <= m && ways < many; ++i)
        ways = ways * static_cast<double>(n + i) / static_cast<double>(i);
    return std::min(1.0, 2 / ways);
}

std::size_t launches_needed(std::size_t rows, double alpha) {
    std::size_t m = 2;
    while (smallest_p(m, m) > alpha / static_cast<double>(rows)) ++m;
    return m;
}

std::vector<double> holm(std::vector<double> const& p) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return p[a] < p[b]; });
    std::vector<double> adjusted(p.size());
    double before = 0;
    for (std::size_t i = 0; i != order.size(); ++i)
        adjusted[order[i]] = before = std::min(1.0, std::max(before, static_cast<double>(p.size() - i) * p[order[i]]));
    return adjusted;
}

} // namespace tools
