// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace tools {

/// Two-sided p value of the rank-sum test (Wilcoxon 1945; Mann and Whitney 1947): the probability of a rank sum at
/// least as far from its mean if both samples are drawn from one distribution. 1 if a sample is empty.
///
/// Exact for up to 60 values, ties included: over all assignments of the ranks. For more values the normal
/// approximation, with the corrections for ties and for continuity.
double rank_sum_p(std::span<sonde::seconds const> a, std::span<sonde::seconds const> b);

/// Smallest possible p value of m values against n others, 2 / C(m + n, m), which disjoint samples have.
double smallest_p(std::size_t m, std::size_t n);

/// Fewest launches per side for which the smallest p value is at most alpha / rows.
std::size_t launches_needed(std::size_t rows, double alpha);

/// Adjusted p values of several tests (Holm, Scand. J. Statist. 6, 1979): if all tests with an adjusted p of at most
/// alpha are called significant, the probability that at least one of these verdicts is wrong is at most alpha.
///
/// The smallest p is multiplied by the number R of tests, the next by R - 1, and so on; none is below its predecessor,
/// and none above 1.
std::vector<double> holm(std::vector<double> const& p);

} // namespace tools
