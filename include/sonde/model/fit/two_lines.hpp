// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/line_costs.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace sonde::model::detail {

/// A line through points, by relative residuals, that can do without one of them at no cost.
class line_fit {
public:
    line_fit(std::span<costed_point const> points, double unit) : points_{points}, unit_{unit} {
        Eigen::Matrix2d normal = Eigen::Matrix2d::Zero();
        Eigen::Vector2d right = Eigen::Vector2d::Zero();
        for (auto const& p : points) {
            normal += row(p) * row(p).transpose();
            right += row(p);
            rounding_ += p.rounding * p.rounding;
        }
        inverse_ = normal.inverse();
        values_ = inverse_ * right;
        for (auto const& p : points) squares_ += residual(p) * residual(p);
    }

    /// A line's parameters, their covariance, and how many residuals they leave to tell that.
    struct result {
        Eigen::Vector2d values;
        Eigen::Matrix2d covariance;
        double freedom;
    };
    result all() const { return worth(values_, inverse_, squares_, points_.size()); }
    result without(std::size_t i) const {
        auto const& p = points_[i];
        Eigen::Vector2d const gain = inverse_ * row(p);
        auto const rest = std::max(1e-9, 1 - row(p).dot(gain)); // 0 where no other point tells the line
        return worth(values_ + gain * (residual(p) / rest), inverse_ + gain * gain.transpose() / rest,
                     squares_ - residual(p) * residual(p) / rest, points_.size() - 1);
    }
    std::size_t size() const { return points_.size(); }

private:
    Eigen::Vector2d row(costed_point const& p) const { return {1 / p.y, p.x / unit_ / p.y}; }
    double residual(costed_point const& p) const { return row(p).dot(values_) - 1; }
    result worth(Eigen::Vector2d const& values, Eigen::Matrix2d const& inverse, double squares, std::size_t n) const {
        auto const freedom = static_cast<double>(n) - 2;
        auto const least = rounding_ / static_cast<double>(points_.size());
        return {values, inverse * std::max(squares / freedom, least), freedom};
    }

    std::span<costed_point const> points_;
    double unit_;
    double rounding_ = 0;
    Eigen::Matrix2d inverse_;
    Eigen::Vector2d values_;
    double squares_ = 0;
};

/// How likely noise makes two lines differ so much, where each is as uncertain as its own residuals say: by the F
/// distribution of Hotelling's T^2, with degrees of freedom after Welch.
inline double chance_of_one_line(line_fit::result const& a, line_fit::result const& b) {
    Eigen::Vector2d const apart = a.values - b.values;
    Eigen::Matrix2d const inverse = (a.covariance + b.covariance).inverse();
    auto const share = (a.covariance * inverse).trace() / 2;
    auto const freedom = 1 / (share * share / a.freedom + (1 - share) * (1 - share) / b.freedom);
    return std::pow(1 + apart.dot(inverse * apart) / freedom, -freedom / 2); // both parameters' F is half of it
}

/// The same, without the point that speaks most against it.
inline double chance_of_one_line(std::span<costed_point const> before, std::span<costed_point const> after) {
    auto const unit = after.front().x;
    line_fit const a{before, unit}, b{after, unit};
    auto chance = chance_of_one_line(a.all(), b.all());
    for (std::size_t i = 0; i != a.size(); ++i) chance = std::max(chance, chance_of_one_line(a.without(i), b.all()));
    for (std::size_t i = 0; i != b.size(); ++i) chance = std::max(chance, chance_of_one_line(a.all(), b.without(i)));
    return chance;
}

} // namespace sonde::model::detail
