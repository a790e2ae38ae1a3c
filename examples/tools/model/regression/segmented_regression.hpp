// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/regression/fit_result.hpp"
#include "tools/model/regression/least_squares.hpp"

#include <Eigen/LU>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace tools::regression {

/// A positive value y at x, and the relative standard deviation of its rounding error, at least `rounding_residual`.
struct regression_point {
    double x;            // explanatory value
    double y;            // positive
    double rounding = 0; // relative standard deviation
};

/// Largest number of sizes that a fit accepts, because it computes the cost of all ranges of sizes.
inline constexpr std::size_t most_sizes = 2000;

/// Cost of a regression line over each range of x: the minimum of the sum of squares of line / y - 1.
///
/// Points are in ascending order of x. A range is a range of indices of the distinct values of x; points with the same
/// x stay together. The cost is `unlimited` where no line is fitted: for a single value of x, and for fewer than 4
/// points, because a line would follow their noise. Fewer than 4 points are allowed if there are no more in all.
class segment_costs {
public:
    explicit segment_costs(std::vector<regression_point> ordered) : points_{std::move(ordered)} {
        for (auto& p : points_) {
            p.rounding = std::max(p.rounding, rounding_residual);
            add(p);
        }
        rounding_ /= static_cast<double>(points_.size());
        costs_.assign(size() * size(), unlimited);
        auto const least_points = std::min<std::size_t>(4, points_.size());
        for (std::size_t first = 0; first != size(); ++first) {
            Eigen::Matrix3d r = Eigen::Matrix3d::Zero(); // of rows (1, x, mean): r(2, 2) is the norm of the residuals
            double squares = 0;
            for (auto i = first; i != size(); ++i) {
                auto const& g = groups_[i];
                auto const root = std::sqrt(g.weight);
                add_row(r, Eigen::Vector3d{root, root * g.x, root * g.mean});
                squares += g.squares;
                if (i != first && points(first, i + 1).size() >= least_points)
                    costs_[first * size() + i] = squares + r(2, 2) * r(2, 2);
            }
        }
    }
    /// Number of distinct values of x.
    std::size_t size() const { return groups_.size(); }
    /// Distinct value i of x.
    double x(std::size_t i) const { return groups_[i].x; }
    /// The part of `all`, which has an element for each point, that belongs to the values of x in [first, last).
    template <class T>
    std::span<T const> slice(std::vector<T> const& all, std::size_t first, std::size_t last) const {
        return std::span{all}.subspan(points_before(first), points_before(last) - points_before(first));
    }
    /// The points whose x is among the values [first, last).
    std::span<regression_point const> points(std::size_t first, std::size_t last) const {
        return slice(points_, first, last);
    }
    double operator()(std::size_t first, std::size_t last) const { return costs_[first * size() + last - 1]; }
    /// Mean cost of a point that rounding alone causes. No fit is considered better than this.
    double rounding() const { return rounding_; }

private:
    /// All points of one x: their weighted mean, and the cost of their deviations from it.
    struct group {
        double x = 0;
        double mean = 0;
        double weight = 0;
        double squares = 0;
        std::size_t points_end = 0;
    };

    /// Number of points with a smaller x than x(i).
    std::size_t points_before(std::size_t i) const { return i == 0 ? 0 : groups_[i - 1].points_end; }
    void add(regression_point const& p) {
        if (groups_.empty() || groups_.back().x != p.x) groups_.push_back({p.x, 0, 0, 0, points_before(size())});
        auto& g = groups_.back();
        auto const weight = 1 / (p.y * p.y), deviation = p.y - g.mean;
        g.weight += weight;
        g.squares += weight * deviation * deviation * (1 - weight / g.weight);
        g.mean += deviation * weight / g.weight;
        ++g.points_end;
        rounding_ += p.rounding * p.rounding;
    }

    std::vector<regression_point> points_;
    std::vector<group> groups_;
    double rounding_ = 0;
    std::vector<double> costs_;
};

/// Segment k is [b[k], b[k + 1]) of the distinct values of x; the first element is 0, the last element is the number of
/// these values.
using segment_boundaries = std::vector<std::size_t>;

/// Optimal partitions of the points into 1, 2, .. `most` segments, by dynamic programming; fewer if there are not
/// enough points.
inline std::vector<segment_boundaries> optimal_partitions(segment_costs const& costs, std::size_t most) {
    auto const n = costs.size();
    std::vector<segment_boundaries> partitions;
    std::vector<segment_boundaries> last_start; // [k - 1][end]: start of the last of k segments of [0, end)
    std::vector<double> sums(n + 1, unlimited); // [end]: cost of k segments of [0, end)
    sums[0] = 0;
    for (std::size_t k = 1; k <= most; ++k) {
        auto const before = std::exchange(sums, std::vector<double>(n + 1, unlimited));
        auto& starts = last_start.emplace_back(n + 1, 0);
        for (std::size_t end = 1; end <= n; ++end)
            for (std::size_t start = 0; start != end; ++start)
                if (auto const sum = before[start] + costs(start, end); sum < sums[end])
                    sums[end] = sum, starts[end] = start;
        if (k != 1 && !(sums[n] < unlimited)) break;
        auto& b = partitions.emplace_back(k + 1, n);
        for (auto i = k; i-- != 0;) b[i] = last_start[i][b[i + 1]];
    }
    return partitions;
}

inline constexpr double search_level = 0.002; // significance level of a search; over all searches it stays below 0.01
inline constexpr double check_level = 0.01;   // significance level of a breakpoint that was found

/// F test of a partition against a partition with fewer segments, with a Bonferroni correction for the positions of
/// their breakpoints.
inline bool is_significant(segment_costs const& costs, segment_boundaries const& fewer,
                           segment_boundaries const& more) {
    auto const points = static_cast<double>(costs.points(0, costs.size()).size());
    auto const freedom = [&](segment_boundaries const& b) { return points - 2.0 * static_cast<double>(b.size() - 1); };
    auto const cost = [&](segment_boundaries const& b) {
        double sum = 0;
        for (std::size_t k = 1; k != b.size(); ++k) sum += costs(b[k - 1], b[k]);
        return std::max(sum, costs.rounding() * freedom(b));
    };
    auto const left = freedom(more);
    auto const additional = static_cast<unsigned>(more.size() - fewer.size());
    if (!(left > 0)) return false;
    // The ratio has the distribution Beta(left / 2, additional) if the additional segments only follow noise.
    auto const ratio = std::min(1.0, cost(more) / cost(fewer));
    return boost::math::ibeta(left / 2, static_cast<double>(additional), ratio) *
               boost::math::binomial_coefficient<double>(static_cast<unsigned>(costs.size()), additional) <
           search_level;
}

/// Parameters of a line by relative least squares.
struct regression_line {
    Eigen::Vector2d values;
    Eigen::Matrix2d covariance;
    double degrees_of_freedom;
};

/// The line through all points, then the lines with one point left out.
inline std::vector<regression_line> leave_one_out(std::span<regression_point const> points, double unit) {
    auto const n = static_cast<double>(points.size());
    auto const row_of = [&](regression_point const& p) { return Eigen::Vector2d{1 / p.y, p.x / unit / p.y}; };
    Eigen::Matrix2d products = Eigen::Matrix2d::Zero();
    Eigen::Vector2d right = Eigen::Vector2d::Zero();
    double rounding = 0;
    for (auto const& p : points) {
        products += row_of(p) * row_of(p).transpose();
        right += row_of(p);
        rounding += p.rounding * p.rounding / n;
    }
    Eigen::Matrix2d const inverse = products.inverse();
    Eigen::Vector2d const values = inverse * right;
    auto const residual = [&](regression_point const& p) { return row_of(p).dot(values) - 1; };
    auto const squares = sum_of_squares(points, residual);
    std::vector<regression_line> lines{{values, inverse * std::max(squares / (n - 2), rounding), n - 2}};
    for (auto const& p : points) {
        Eigen::Vector2d const gain = inverse * row_of(p);
        // 1 - leverage, which is 0 if the line is not determined without this point.
        auto const rest = std::max(1e-9, 1 - row_of(p).dot(gain)), r = residual(p);
        lines.push_back(
            {values + gain * (r / rest),
             (inverse + gain * gain.transpose() / rest) * std::max((squares - r * r / rest) / (n - 3), rounding),
             n - 3});
    }
    return lines;
}

/// p-value of the hypothesis that two lines are equal, by Hotelling's T^2 test. Each line has the variance of its own
/// residuals, and the degrees of freedom are Welch's.
inline double same_line_p_value(regression_line const& a, regression_line const& b) {
    Eigen::Vector2d const difference = a.values - b.values;
    Eigen::Matrix2d const inverse = (a.covariance + b.covariance).inverse();
    auto const share = (a.covariance * inverse).trace() / 2;
    auto const freedom = 1 / (share * share / a.degrees_of_freedom + (1 - share) * (1 - share) / b.degrees_of_freedom);
    // Survival function of the F distribution with 2 and `freedom` degrees of freedom at T^2 / 2.
    return std::pow(1 + difference.dot(inverse * difference) / freedom, -freedom / 2);
}

/// p-value of the hypothesis that segments k - 1 and k have the same line: the largest p-value when any single point is
/// left out, with a Bonferroni correction for the position of the breakpoint.
inline double same_line_p_value(segment_costs const& costs, segment_boundaries const& b, std::size_t k) {
    auto const unit = costs.x(b[k]);
    auto const before = leave_one_out(costs.points(b[k - 1], b[k]), unit);
    auto const after = leave_one_out(costs.points(b[k], b[k + 1]), unit);
    auto p = same_line_p_value(before[0], after[0]);
    for (auto const& line : before) p = std::max(p, same_line_p_value(line, after[0]));
    for (auto const& line : after) p = std::max(p, same_line_p_value(before[0], line));
    return p * static_cast<double>(b[k + 1] - b[k - 1]);
}

/// The segment after the first whose breakpoint is least significant; 0 if all are significant.
inline std::size_t least_significant(segment_costs const& costs, segment_boundaries const& b) {
    std::size_t found = 0;
    auto level = check_level;
    for (std::size_t k = 1; k + 1 != b.size(); ++k)
        if (auto const p = same_line_p_value(costs, b, k); !(p < level)) found = k, level = p;
    return found;
}

/// Segmented regression: segments of straight lines with as many breakpoints as the data justify.
///
/// Two tests accept a breakpoint, or several at once. The F test assumes normal, independent errors of the same size
/// everywhere; noise alone passes it, at any position, in less than 0.2 % of all cases. The second test takes the
/// errors of each segment from the segment itself, and the difference must not depend on any single point. Errors that
/// change with the size, or contain outliers, therefore cause few additional segments.
[[nodiscard]] inline segment_boundaries find_segments(segment_costs const& costs) {
    constexpr std::size_t most = 6; // protocols of a library, and caches
    auto const partitions = optimal_partitions(costs, most);
    auto boundaries = partitions[0];
    for (auto const& more : std::span{partitions}.subspan(1))
        if (is_significant(costs, boundaries, more)) boundaries = more;
    while (auto const k = least_significant(costs, boundaries)) {
        boundaries.erase(boundaries.begin() + static_cast<std::ptrdiff_t>(k));
        auto const& optimal = partitions[boundaries.size() - 2];
        if (least_significant(costs, optimal) == 0) return optimal;
    }
    return boundaries;
}

/// Estimate of the breakpoint at which segment k begins, which is its smallest x; k is not the first segment. The real
/// change of protocol lies above `low`, the largest x that certainly belongs to the previous segment. It is at most
/// `high`, the smallest x that certainly belongs to segment k. [`low`, `high`] is a 95 % likelihood interval by the F
/// test of one parameter.
[[nodiscard]] inline parameter_estimate breakpoint_estimate(segment_costs const& costs, segment_boundaries const& b,
                                                            std::size_t k) {
    auto first = b[k], last = b[k];
    auto const cost = [&](std::size_t at) { return costs(b[k - 1], at) + costs(at, b[k + 1]); };
    auto const freedom = static_cast<double>(costs.points(b[k - 1], b[k + 1]).size()) - 4;
    if (freedom > 0) {
        auto const least = cost(b[k]) + costs.rounding() * freedom;
        auto const limit = least * (1 + std::pow(student_quantile(freedom), 2) / freedom);
        for (auto at = b[k - 1] + 1; at != b[k + 1]; ++at)
            if (cost(at) <= limit) first = std::min(first, at), last = std::max(last, at);
    }
    return make_parameter({"breakpoint", "B", k}, costs.x(b[k]), costs.x(first - 1), costs.x(last));
}

} // namespace tools::regression
