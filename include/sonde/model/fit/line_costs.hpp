// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace sonde::model {

/// What a straight line costs on any range of points: the sum of squares of line / y - 1, at its smallest.
///
/// Points are in the order of x, and each y is positive. Infinite where no line is fitted: on fewer than 3 points, on
/// points that all have one x, and where a range begins or ends between points that have the same.
class line_costs {
public:
    line_costs(std::vector<double> x, std::vector<double> y)
        : x_{std::move(x)}, y_{std::move(y)}, costs_(size() * size(), std::numeric_limits<double>::infinity()) {
        for (std::size_t first = 0; first != size(); ++first)
            if (may_split(first)) add_from(first);
    }
    std::size_t size() const { return x_.size(); }
    double x(std::size_t i) const { return x_[i]; }
    /// Of the points [first, last).
    double operator()(std::size_t first, std::size_t last) const { return costs_[first * size() + last - 1]; }

private:
    /// The triangle that rotations make of the rows (1 / y, x / y, 1) so far: no sums of squares that cancel, whatever
    /// the units. What is left of the third column is the residual.
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

    bool may_split(std::size_t at) const { return at == 0 || at == size() || x_[at - 1] < x_[at]; }
    void add_from(std::size_t first) {
        triangle rows;
        for (auto i = first; i != size(); ++i) {
            rows.add(1 / y_[i], x_[i] / y_[i], 1);
            if (i >= first + 2 && x_[first] < x_[i] && may_split(i + 1))
                costs_[first * size() + i] = rows.r[2][2] * rows.r[2][2];
        }
    }

    std::vector<double> x_, y_;
    std::vector<double> costs_;
};

} // namespace sonde::model
