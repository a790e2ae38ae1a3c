// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/kinked_data.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace sonde::model {

/// The smallest sum of squares of (model - measured) / scale, exactly: for the kink between any two neighbouring
/// positions the problem is linear, and where its solution lies outside, the smallest is at an end.
class kink_search {
public:
    kink_search(kinked_data const& data, Eigen::VectorXd const& scale) : at_{data.at} {
        auto const n = static_cast<std::size_t>(data.points());
        below_.assign(n + 1, triangle::Zero());
        above_.assign(n + 1, triangle::Zero());
        auto row = [&](Eigen::MatrixX3d const& rows, std::size_t i) -> Eigen::RowVector4d {
            auto const k = static_cast<Eigen::Index>(i);
            return Eigen::RowVector4d{rows(k, 0), rows(k, 1), rows(k, 2), data.measured(k)} / scale(k);
        };
        for (std::size_t i = 0; i != n; ++i) below_[i + 1] = with(below_[i], row(data.below, i));
        for (auto i = n; i != 0; --i) above_[i - 1] = with(above_[i], row(data.above, i - 1));
    }

    /// Of a kink anywhere; one beyond all positions is as one at the last.
    kinked_solution best() const {
        auto found = at_most_first();
        for (Eigen::Index low = 1; low != at_.size(); ++low)
            if (at_(low - 1) < at_(low)) between(low, found);
        return found;
    }
    /// Of a kink at or below the first position: all points are above.
    kinked_solution at_most_first() const {
        kinked_solution found;
        between(0, found);
        return found;
    }
    /// Of a kink at or above the last position: all points are below.
    kinked_solution at_least_last() const { return of_kink(at_(at_.size() - 1)); }
    /// Of a kink that is given.
    kinked_solution of_kink(double kink) const {
        auto const low = std::lower_bound(at_.begin(), at_.end(), kink) - at_.begin();
        return on_ray(low, kink, all(low));
    }

private:
    // Rows of any number, and what was measured, are worth as much as the triangle that rotations make of them.
    using triangle = Eigen::Matrix4d;
    static inline Eigen::Vector3d const first{1, 0, 0}, second{0, 1, 0}, third{0, 0, 1};

    static triangle with(triangle rows, Eigen::RowVector4d one) {
        for (int j = 0; j != 4; ++j) {
            auto const length = std::hypot(rows(j, j), one(j));
            if (length == 0) continue;
            auto const c = rows(j, j) / length;
            auto const s = one(j) / length;
            Eigen::RowVector4d const turned = c * rows.row(j) + s * one;
            one = c * one - s * rows.row(j);
            rows.row(j) = turned;
            one(j) = 0;
        }
        return rows;
    }
    /// Of all points, the first `low` below the kink.
    triangle all(Eigen::Index low) const {
        auto const i = static_cast<std::size_t>(low);
        auto rows = below_[i];
        for (int j = 0; j != 4; ++j) rows = with(rows, above_[i].row(j));
        return rows;
    }

    /// The best of parameters that are sums of these directions; infinite or none where they depend on each other.
    static kinked_solution along(Eigen::Index low, triangle const& rows,
                                 std::initializer_list<Eigen::Vector3d> directions) {
        triangle reduced = triangle::Zero();
        for (int i = 0; i != 4; ++i) {
            Eigen::RowVector4d one{0, 0, 0, rows(i, 3)};
            int j = 0;
            for (auto const& d : directions) one(j++) = rows(i, 0) * d(0) + rows(i, 1) * d(1) + rows(i, 2) * d(2);
            reduced = with(reduced, one);
        }
        kinked_solution found{Eigen::Vector3d::Zero(), reduced(3, 3) * reduced(3, 3), low};
        for (auto j = static_cast<int>(directions.size()); j-- != 0;) {
            auto const amount = reduced(j, 3) / reduced(j, j);
            found.values += amount * directions.begin()[j];
            reduced.col(3) -= amount * reduced.col(j);
        }
        return found;
    }
    static bool positive(kinked_solution const& s) {
        return s.values.allFinite() && s.values(0) > 0 && s.values(2) >= 0;
    }
    static void keep_smaller(kinked_solution& found, kinked_solution const& other) {
        if (other.squares < found.squares) found = other;
    }

    static kinked_solution on_ray(Eigen::Index low, double kink, triangle const& rows) {
        auto const found = along(low, rows, {{1, kink, 0}, third});
        return positive(found) ? found : along(low, rows, {{1, kink, 0}});
    }
    /// Of a kink between the positions of two neighbours, ends included, if it is better than what was found.
    void between(Eigen::Index low, kinked_solution& found) const {
        auto const rows = all(low);
        if (rows(3, 3) * rows(3, 3) >= found.squares) return; // no solution leaves less
        auto const from = low == 0 ? 0.0 : at_(low - 1);
        auto const to = at_(low);
        auto inside = [&](kinked_solution const& s) { return positive(s) && from <= s.kink() && s.kink() <= to; };
        auto const free = along(low, rows, {first, second, third});
        if (inside(free)) return keep_smaller(found, free);
        keep_smaller(found, on_ray(low, to, rows));
        keep_smaller(found, on_ray(low, from, rows));
        auto const without_third = along(low, rows, {first, second});
        if (inside(without_third)) keep_smaller(found, without_third);
    }

    Eigen::VectorXd at_;
    std::vector<triangle> below_; // of the first so many points
    std::vector<triangle> above_; // of those from this one on
};

} // namespace sonde::model
