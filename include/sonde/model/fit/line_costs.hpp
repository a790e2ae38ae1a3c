// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/triangle.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace sonde::model {

/// A positive value at x, and what rounding alone makes it err by, relative to it.
struct costed_point {
    double x;
    double y;
    double rounding = 0;
};

/// What a straight line costs on any range of values of x: the sum of squares of line / y - 1, at its smallest.
///
/// Points are in the order of x; those of one x are one place and stay together. Infinite where no line is fitted: on
/// one place, and on fewer than 4 points, of which a line would follow the noise, unless there are no more.
class line_costs {
public:
    explicit line_costs(std::vector<costed_point> points) : points_{std::move(points)} {
        for (auto const& p : points_) add(p);
        rounding_ /= static_cast<double>(points_.size());
        costs_.assign(size() * size(), std::numeric_limits<double>::infinity());
        for (std::size_t first = 0; first != size(); ++first) add_from(first, std::min<std::size_t>(4, points_.size()));
    }
    /// So many places.
    std::size_t size() const { return places_.size(); }
    double x(std::size_t at) const { return places_[at].x; }
    /// So many points have a smaller x.
    std::size_t points_before(std::size_t at) const { return at == 0 ? 0 : places_[at - 1].points_to; }
    /// Those of the places [first, last).
    std::span<costed_point const> points(std::size_t first, std::size_t last) const {
        return std::span{points_}.subspan(points_before(first), points_before(last) - points_before(first));
    }
    /// Of the places [first, last).
    double operator()(std::size_t first, std::size_t last) const { return costs_[first * size() + last - 1]; }
    /// What rounding alone makes of this for each point: nothing is known better.
    double rounding() const { return rounding_; }

private:
    /// The points of one x, worth as much as one of their mean by weight, beside what they are apart.
    struct place {
        double x = 0;
        double mean = 0;
        double weight = 0;
        double squares = 0;
        std::size_t points_to = 0;
    };

    void add(costed_point const& p) {
        if (places_.empty() || places_.back().x != p.x) places_.push_back({p.x, 0, 0, 0, points_before(size())});
        auto& at = places_.back();
        auto const weight = 1 / (p.y * p.y), apart = p.y - at.mean;
        at.weight += weight;
        at.squares += weight * apart * apart * (1 - weight / at.weight);
        at.mean += apart * weight / at.weight;
        ++at.points_to;
        rounding_ += p.rounding * p.rounding;
    }
    void add_from(std::size_t first, std::size_t least) {
        Eigen::Matrix3d rows =
            Eigen::Matrix3d::Zero(); // of (1, x, mean): what is left of the third column is the residual
        double apart = 0;
        for (auto i = first; i != size(); ++i) {
            auto const& at = places_[i];
            auto const root = std::sqrt(at.weight);
            detail::rotate_in(rows, root * Eigen::RowVector3d{1, at.x, at.mean});
            apart += at.squares;
            if (i != first && points(first, i + 1).size() >= least)
                costs_[first * size() + i] = apart + rows(2, 2) * rows(2, 2);
        }
    }

    std::vector<costed_point> points_;
    std::vector<place> places_;
    double rounding_ = 0;
    std::vector<double> costs_;
};

} // namespace sonde::model
