// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace tools {

/// Ranks of values, from 1, in the order of the values. Equal values share the mean of their ranks; ranks are doubled
/// to be integers.
std::vector<std::size_t> doubled_ranks(std::span<sonde::seconds const> values);

/// Distribution of the rank sums of m of n values, if all choices of the m values are equally probable.
///
/// Exact, ties included, for up to 60 values, and for more values if the smaller part is small: m (or n - m) times n is
/// at most 2400. Otherwise the normal approximation, with the corrections for ties and for continuity.
class rank_sum_distribution {
public:
    /// For parts of at most `most` values; a part and the rest of the values have the same p.
    rank_sum_distribution(std::vector<std::size_t> doubled_ranks, std::size_t most);

    /// Two-sided p value of m values with this sum of doubled ranks: the probability of a sum at least as far from its
    /// mean.
    double p(std::size_t m, std::size_t doubled_sum) const;

    /// Probability that the p value of m values is at most x: x itself, or less, because the rank sums are discrete.
    double probability_of(std::size_t m, double x) const;

private:
    std::size_t smaller_part(std::size_t m) const { return m < size_ - m ? m : size_ - m; }
    double normal_p(double from_mean, double m) const;

    std::size_t size_;
    double ties_ = 0;                           // sum of t^3 - t over all groups of t equal values
    std::vector<std::vector<double>> as_far_{}; // number of parts by their size, and by the least distance of their sum
};

/// Two-sided p value of the rank-sum test (Wilcoxon 1945; Mann and Whitney 1947): the probability of a rank sum at
/// least as far from its mean if both samples are drawn from one distribution. 1 if a sample is empty.
double rank_sum_p(std::span<sonde::seconds const> a, std::span<sonde::seconds const> b);

/// Smallest possible p value of m values against n others, 2 / C(m + n, m), which disjoint samples have.
double smallest_p(std::size_t m, std::size_t n);

/// Fewest launches per side for which the smallest p value is at most alpha / rows.
std::size_t launches_needed(std::size_t rows, double alpha);

/// Adjusted p values of several tests (Holm, Scand. J. Statist. 6, 1979): if all tests with an adjusted p of at most
/// alpha are called significant, the probability that at least one of these results is wrong is at most alpha.
///
/// The smallest p is multiplied by the number R of tests, the next by R - 1, and so on; each is at least its
/// predecessor, and at most 1.
std::vector<double> holm(std::vector<double> const& p);

} // namespace tools
