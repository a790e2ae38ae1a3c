// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/least_squares.hpp>
#include <sonde/model/fit/result.hpp>

#include <Eigen/Dense>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace sonde::model {

/// A positive value y at x, and the relative standard deviation of its rounding error.
struct regression_point {
    double x;
    double y;
    double rounding = 0;
};

/// Largest number of sizes that a fit accepts, because it computes the cost of all ranges of sizes.
inline constexpr std::size_t most_sizes = 2000;

/// Cost of a regression line over each range of x: the minimum of the sum of squares of line / y - 1.
///
/// Points are in ascending order of x. Ranges are of distinct values of x, by their index; points of the same x stay
/// together. The cost is infinite where no line is fitted: for one value of x, and for fewer than 4 points, of which a
/// line would follow the noise, unless there are fewer in all.
class segment_costs {
public:
    explicit segment_costs(std::vector<regression_point> points) : points_{std::move(points)} {
        for (auto const& p : points_) add(p);
        rounding_ /= static_cast<double>(points_.size());
        costs_.assign(size() * size(), detail::infinity);
        for (std::size_t first = 0; first != size(); ++first)
            add_lines(first, std::min<std::size_t>(4, points_.size()));
    }
    /// Number of distinct values of x.
    std::size_t size() const { return groups_.size(); }
    double x(std::size_t i) const { return groups_[i].x; }
    /// Number of points with a smaller x than x(i).
    std::size_t points_before(std::size_t i) const { return i == 0 ? 0 : groups_[i - 1].points_end; }
    /// Points of the values of x in [first, last).
    std::span<regression_point const> points(std::size_t first, std::size_t last) const {
        return std::span{points_}.subspan(points_before(first), points_before(last) - points_before(first));
    }
    double operator()(std::size_t first, std::size_t last) const { return costs_[first * size() + last - 1]; }
    /// Mean cost of a point by rounding alone: nothing is known better than this.
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
    void add_lines(std::size_t first, std::size_t least_points) {
        Eigen::Matrix3d r = Eigen::Matrix3d::Zero(); // of rows (1, x, mean): r(2, 2) is the norm of the residuals
        double squares = 0;
        for (auto i = first; i != size(); ++i) {
            auto const& g = groups_[i];
            detail::add_row(r, std::sqrt(g.weight) * Eigen::RowVector3d{1, g.x, g.mean});
            squares += g.squares;
            if (i != first && points(first, i + 1).size() >= least_points)
                costs_[first * size() + i] = squares + r(2, 2) * r(2, 2);
        }
    }

    std::vector<regression_point> points_;
    std::vector<group> groups_;
    double rounding_ = 0;
    std::vector<double> costs_;
};

/// Segment k is [b[k], b[k + 1]) of the distinct values of x; the first element is 0, the last one their number.
using segment_boundaries = std::vector<std::size_t>;

namespace detail {

/// Optimal partitions of the points into 1, 2, .. `most` segments, by dynamic programming; fewer if there are not
/// enough points.
class optimal_partitions {
public:
    optimal_partitions(segment_costs const& costs, std::size_t most) : costs_{costs} {
        for (std::size_t k = 0; k != most && (k == 0 || cost(k) < infinity); ++k) add_segment();
        while (sums_.size() > 1 && !(cost(sums_.size()) < infinity)) sums_.pop_back();
    }
    std::size_t most_segments() const { return sums_.size(); }
    double cost(std::size_t segments) const { return sums_[segments - 1][costs_.size()]; }
    segment_boundaries boundaries(std::size_t segments) const {
        segment_boundaries b(segments + 1, costs_.size());
        for (auto k = segments; k-- != 0;) b[k] = last_start_[k][b[k + 1]];
        return b;
    }

private:
    void add_segment() {
        auto const n = costs_.size();
        std::vector<double> sums(n + 1, infinity);
        std::vector<std::size_t> starts(n + 1, 0);
        for (std::size_t end = 1; end <= n; ++end)
            for (std::size_t start = 0; start != end; ++start) {
                auto const before = !sums_.empty() ? sums_.back()[start] : start == 0 ? 0 : infinity;
                auto const sum = before + costs_(start, end);
                if (sum < sums[end]) sums[end] = sum, starts[end] = start;
            }
        sums_.push_back(std::move(sums));
        last_start_.push_back(std::move(starts));
    }

    segment_costs const& costs_;
    std::vector<std::vector<double>> sums_;            // [k - 1][end]: cost of k segments of [0, end)
    std::vector<std::vector<std::size_t>> last_start_; // start of the last of them
};

inline constexpr double search_level = 0.002; // significance level of a search; over all searches it stays below 0.01
inline constexpr double check_level = 0.01;   // significance level of a breakpoint that was found

/// F test of `more` additional segments, with a Bonferroni correction for the positions of their breakpoints.
inline bool is_significant(optimal_partitions const& partitions, segment_costs const& costs, std::size_t segments,
                           std::size_t more) {
    auto const points = static_cast<double>(costs.points(0, costs.size()).size());
    auto const freedom = [&](std::size_t k) { return points - 2.0 * static_cast<double>(k); };
    auto const cost = [&](std::size_t k) { return std::max(partitions.cost(k), costs.rounding() * freedom(k)); };
    auto const left = freedom(segments + more);
    if (!(left > 0)) return false;
    // Has the distribution Beta(left / 2, more) if the additional segments only follow noise.
    auto const ratio = std::min(1.0, cost(segments + more) / cost(segments));
    return boost::math::ibeta(left / 2, static_cast<double>(more), ratio) *
               boost::math::binomial_coefficient<double>(static_cast<unsigned>(costs.size()),
                                                         static_cast<unsigned>(more)) <
           search_level;
}

/// A line through points by relative least squares, with leave-one-out estimates in constant time.
class leave_one_out_line {
public:
    leave_one_out_line(std::span<regression_point const> points, double unit)
        : rows_(static_cast<Eigen::Index>(points.size()), 2) {
        Eigen::Index i = 0;
        for (auto const& p : points) {
            rows_.row(i++) << 1 / p.y, p.x / unit / p.y;
            least_variance_ += p.rounding * p.rounding / static_cast<double>(points.size());
        }
        inverse_ = (rows_.transpose() * rows_).inverse();
        values_ = inverse_ * rows_.colwise().sum().transpose();
        residuals_ = (rows_ * values_).array() - 1;
        squares_ = residuals_.squaredNorm();
    }

    struct estimate {
        Eigen::Vector2d values;
        Eigen::Matrix2d covariance;
        double degrees_of_freedom;
    };
    Eigen::Index size() const { return rows_.rows(); }
    estimate all() const { return make_estimate(values_, inverse_, squares_, size()); }
    estimate without(Eigen::Index i) const {
        Eigen::Vector2d const gain = inverse_ * rows_.row(i).transpose();
        // 1 - leverage, which is 0 if no other point determines the line.
        auto const rest = std::max(1e-9, 1 - rows_.row(i).dot(gain));
        return make_estimate(values_ + gain * (residuals_(i) / rest), inverse_ + gain * gain.transpose() / rest,
                             squares_ - residuals_(i) * residuals_(i) / rest, size() - 1);
    }

private:
    estimate make_estimate(Eigen::Vector2d const& values, Eigen::Matrix2d const& inverse, double squares,
                           Eigen::Index n) const {
        auto const freedom = static_cast<double>(n - 2);
        return {values, inverse * std::max(squares / freedom, least_variance_), freedom};
    }

    Eigen::MatrixX2d rows_;
    Eigen::Matrix2d inverse_;
    Eigen::Vector2d values_;
    Eigen::VectorXd residuals_;
    double squares_ = 0;
    double least_variance_ = 0;
};

/// p-value of two lines being the same, each with the variance of its own residuals: Hotelling's T^2 test with degrees
/// of freedom after Welch.
inline double same_line_p_value(leave_one_out_line::estimate const& a, leave_one_out_line::estimate const& b) {
    Eigen::Vector2d const difference = a.values - b.values;
    Eigen::Matrix2d const inverse = (a.covariance + b.covariance).inverse();
    auto const share = (a.covariance * inverse).trace() / 2;
    auto const freedom = 1 / (share * share / a.degrees_of_freedom + (1 - share) * (1 - share) / b.degrees_of_freedom);
    // Survival function of the F distribution with 2 and `freedom` degrees of freedom at T^2 / 2.
    return std::pow(1 + difference.dot(inverse * difference) / freedom, -freedom / 2);
}

/// p-value of segments k - 1 and k having the same line, the largest with any one point left out, with a Bonferroni
/// correction for the position of the breakpoint.
inline double same_line_p_value(segment_costs const& costs, segment_boundaries const& b, std::size_t k) {
    auto const unit = costs.x(b[k]);
    leave_one_out_line const before{costs.points(b[k - 1], b[k]), unit}, after{costs.points(b[k], b[k + 1]), unit};
    auto p = same_line_p_value(before.all(), after.all());
    for (Eigen::Index i = 0; i != before.size(); ++i)
        p = std::max(p, same_line_p_value(before.without(i), after.all()));
    for (Eigen::Index i = 0; i != after.size(); ++i) p = std::max(p, same_line_p_value(before.all(), after.without(i)));
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

} // namespace detail

/// Segmented regression: segments of straight lines with as many breakpoints as the data justify.
///
/// Two tests accept a breakpoint, or several at once. The F test assumes normal, independent errors of the same size
/// everywhere; noise alone passes it, at any position, in less than 0.2 % of all cases. The second test takes the
/// errors of each segment from the segment itself, and the difference must not depend on any single point. So errors
/// that change with the size or contain outliers make few segments.
[[nodiscard]] inline segment_boundaries find_segments(segment_costs const& costs) {
    constexpr std::size_t most = 6; // protocols of a library, and caches
    detail::optimal_partitions const partitions{costs, most};
    std::size_t segments = 1;
    for (auto k = segments + 1; k <= partitions.most_segments(); ++k)
        if (detail::is_significant(partitions, costs, segments, k - segments)) segments = k;
    auto boundaries = partitions.boundaries(segments);
    while (auto const k = detail::least_significant(costs, boundaries)) {
        boundaries.erase(boundaries.begin() + static_cast<std::ptrdiff_t>(k));
        auto const optimal = partitions.boundaries(boundaries.size() - 1);
        if (detail::least_significant(costs, optimal) == 0) return optimal;
    }
    return boundaries;
}

/// Estimate of the breakpoint at which segment k, not the first, begins: its smallest x. The real change of protocol
/// lies above `low`, the largest x that certainly belongs to the segment before, and not above `high`, the smallest x
/// that certainly belongs to this one: a 95 % likelihood interval by the F test of one parameter.
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
    return detail::make_parameter({"breakpoint", "B", k}, costs.x(b[k]), costs.x(first - 1), costs.x(last));
}

} // namespace sonde::model
