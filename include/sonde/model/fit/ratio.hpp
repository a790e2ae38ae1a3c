// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/estimate.hpp>
#include <sonde/model/fit/interval.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sonde::model {

/// The ratio of two parameters that are not negative, i over j: all ratios q for which p_i - q p_j may be zero (Fieller
/// 1954), which is exact where a model is linear.
///
/// Where the interval of p_i reaches zero the end of this one is an upper bound; where that of p_j does, a lower bound;
/// where both do, nothing is determined. One that is wider than `widest_interval` is taken to reach so far by the
/// parameter that is known worse.
[[nodiscard]] inline parameter ratio_parameter(label as, estimate const& of, Eigen::Index i, Eigen::Index j) {
    constexpr auto infinite = std::numeric_limits<double>::infinity();
    auto p = detail::named(std::move(as), of.values(i) / of.values(j), 0, infinite);
    p.value = std::max(0.0, p.value);
    p.stands = standing::undetermined;
    if (!of.full_rank) return p;
    auto const t2 = std::pow(student_quantile(of.freedom), 2);
    auto const a = of.values(j) * of.values(j) - t2 * of.covariance(j, j); // positive: p_j is not zero
    auto const b = of.values(i) * of.values(j) - t2 * of.covariance(i, j);
    auto const c = of.values(i) * of.values(i) - t2 * of.covariance(i, i); // positive: p_i is not zero
    bool over = c > 0, under = a > 0;
    bool const negative = (over && of.values(i) <= 0) || (under && of.values(j) <= 0);
    if (negative || (!over && !under)) return p;
    auto const root = std::sqrt(std::max(0.0, b * b - a * c));
    if (over && under && (b + root) / a > widest_interval * c / (b + root))
        (of.deviation(i) * of.values(j) > of.deviation(j) * of.values(i) ? over : under) = false;
    if (under) p.high = (b + root) / a;
    if (over) p.low = c / (b + root); // (b - root) / a without cancellation
    p.stands = over && under ? standing::determined : under ? standing::upper_bound : standing::lower_bound;
    if (p.stands == standing::upper_bound) p.value = p.high;
    if (p.stands == standing::lower_bound) p.value = p.low;
    return p;
}

} // namespace sonde::model
