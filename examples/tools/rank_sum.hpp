// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace tools {

/// Two-sided p value of the rank-sum test (Wilcoxon 1945; Mann and Whitney 1947): how likely is a sum of ranks at least
/// as far from its mean, when both sides are drawn from the same? 1 where a side is empty.
///
/// Exact up to 60 times, equal ones included: over all ways to share the ranks out. Above that the normal approximation
/// with the corrections for ties and continuity.
double rank_sum_p(std::span<sonde::seconds const> a, std::span<sonde::seconds const> b);

/// The smallest p that m times against n others can have: both sides apart, 2 / C(m + n, m).
double smallest_p(std::size_t m, std::size_t n);

/// The fewest launches a side with which one of so many rows can have a p of at most alpha / rows.
std::size_t launches_needed(std::size_t rows, double alpha);

} // namespace tools
