// SPDX-License-Identifier: BSL-1.0
#pragma once

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
    /// The triangle that rotations make of the rows (1, x, mean) so far: no sums of squares that cancel, whatever the
    /// units. What is left of the third column is the residual.
    struct triangle {
        double r[3][3]{};
        void add(double row0, double row1, double row2) {
            double row[3]{row0, row1, row2};
            for (int k = 0; k != 3; ++k) {
                double const length = std::sqrt(r[k][k] * r[k][k] + row[k] * row[k]);
                if (length == 0) continue;
                double const c = r[k][k] / length, s = row[k] / length;
                for (int j = k; j != 3; ++j) {
                    double const above = r[k][j];
                    r[k][j] = c * above + s * row[j];
                    row[j] = c * row[j] - s * above;
                }
            }
        }
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
        triangle rows;
        double apart = 0;
        for (auto i = first; i != size(); ++i) {
            auto const& at = places_[i];
            auto const root = std::sqrt(at.weight);
            rows.add(root, root * at.x, root * at.mean);
            apart += at.squares;
            if (i != first && points(first, i + 1).size() >= least)
                costs_[first * size() + i] = apart + rows.r[2][2] * rows.r[2][2];
        }
    }

    std::vector<costed_point> points_;
    std::vector<place> places_;
    double rounding_ = 0;
    std::vector<double> costs_;
};

} // namespace sonde::model
