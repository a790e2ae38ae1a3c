// SPDX-License-Identifier: BSL-1.0
#include "tools/rank_sum.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tools {

namespace {

using sonde::seconds;

constexpr std::size_t most_for_exact = 2400; // values times the size of the smaller part

/// Number of subsets of the ascending ranks by their size, up to `most`, and by their sum.
std::vector<std::vector<double>> ways_to_sum(std::vector<std::size_t> const& doubled, std::size_t most) {
    auto const largest =
        std::accumulate(doubled.end() - static_cast<std::ptrdiff_t>(most), doubled.end(), std::size_t{});
    std::vector<std::vector<double>> ways(most + 1, std::vector<double>(largest + 1));
    ways[0][0] = 1;
    std::size_t reached = 0, items = 0;
    for (auto const rank : doubled) {
        reached = std::min(reached + rank, largest);
        for (auto k = std::min(++items, most); k != 0; --k)
            for (auto sum = rank; sum <= reached; ++sum) ways[k][sum] += ways[k - 1][sum - rank];
    }
    return ways;
}

/// Number of subsets whose sum is at least as far from the mean, by this distance.
std::vector<double> as_far(std::vector<double> const& ways, std::size_t mean) {
    std::vector<double> far(std::max(mean + 1, ways.size() - std::min(mean, ways.size() - 1)));
    double count = 0;
    for (auto d = far.size(); d-- != 0; far[d] = count) {
        if (d <= mean) count += ways[mean - d];
        if (d != 0 && mean + d < ways.size()) count += ways[mean + d];
    }
    return far;
}

} // namespace

std::vector<std::size_t> doubled_ranks(std::span<seconds const> values) {
    std::vector<seconds> sorted{values.begin(), values.end()};
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> all;
    for (auto const v : values) {
        auto const [first, last] = std::equal_range(sorted.begin(), sorted.end(), v);
        all.push_back(static_cast<std::size_t>((first - sorted.begin()) + 1 + (last - sorted.begin())));
    }
    return all;
}

rank_sum_distribution::rank_sum_distribution(std::vector<std::size_t> doubled_ranks, std::size_t most)
    : size_{doubled_ranks.size()} {
    std::sort(doubled_ranks.begin(), doubled_ranks.end());
    for (auto first = doubled_ranks.begin(); first != doubled_ranks.end();) {
        auto const last = std::upper_bound(first, doubled_ranks.end(), *first);
        auto const t = static_cast<double>(last - first);
        ties_ += t * t * t - t;
        first = last;
    }
    if (size_ == 0) return;
    auto const ways = ways_to_sum(doubled_ranks, std::min({most, size_ / 2, most_for_exact / size_}));
    for (std::size_t m = 0; m != ways.size(); ++m) as_far_.push_back(as_far(ways[m], m * (size_ + 1)));
}

double rank_sum_distribution::normal_p(double from_mean, double m) const {
    auto const all = static_cast<double>(size_);
    auto const variance = m * (all - m) / 12 * (all + 1 - ties_ / (all * (all - 1)));
    auto const away = from_mean / 2 - 0.5;
    return variance > 0 && away > 0 ? std::erfc(away / std::sqrt(2 * variance)) : 1;
}

double rank_sum_distribution::p(std::size_t m, std::size_t doubled_sum) const {
    auto const mean = m * (size_ + 1);
    auto const from_mean = doubled_sum > mean ? doubled_sum - mean : mean - doubled_sum;
    auto const part = smaller_part(m);
    if (part < as_far_.size()) return as_far_[part][from_mean] / as_far_[part][0];
    return normal_p(static_cast<double>(from_mean), static_cast<double>(m));
}

double rank_sum_distribution::probability_of(std::size_t m, double x) const {
    auto const part = smaller_part(m);
    if (part >= as_far_.size()) return std::min(1.0, x);
    auto const& far = as_far_[part];
    auto const most = x * far[0] * (1 + 1e-9); // x may be one of the quotients
    auto const found = std::partition_point(far.begin(), far.end(), [&](double count) { return count > most; });
    return found == far.end() ? 0 : *found / far[0];
}

double rank_sum_p(std::span<seconds const> a, std::span<seconds const> b) {
    if (a.empty() || b.empty()) return 1;
    std::vector<seconds> both{a.begin(), a.end()};
    both.insert(both.end(), b.begin(), b.end());
    auto const ranks = doubled_ranks(both);
    auto const end = ranks.begin() + static_cast<std::ptrdiff_t>(a.size());
    return rank_sum_distribution{ranks, std::min(a.size(), b.size())}.p(
        a.size(), std::accumulate(ranks.begin(), end, std::size_t{}));
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
