// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/triangle.hpp>

#include <Eigen/Dense>

#include <cmath>
#include <optional>

namespace sonde::model {

/// Rows of any number, and what was measured, are worth as much as the triangle that rotations make of them.
using kinked_triangle = Eigen::Matrix4d;

/// Parameters that are sums of some of three rays, and what squares they leave.
class kinked_face {
public:
    /// Of ray j where `chosen` has bit j.
    kinked_face(kinked_triangle const& rows, Eigen::Matrix3d const& rays, unsigned chosen) : rays_{rays} {
        for (int j = 0; j != 3; ++j)
            if ((chosen >> j & 1U) == 0) rays_.col(j).setZero();
        Eigen::Matrix4d turned;
        turned << rows.leftCols<3>() * rays_, rows.col(3);
        for (int i = 0; i != 4; ++i) detail::rotate_in(reduced_, turned.row(i));
        for (int j = 0; j != 3; ++j)
            if ((chosen >> j & 1U) != 0) independent_ = independent_ && depends_least(j);
    }

    /// Otherwise a smaller face is as good, and better known.
    bool independent() const { return independent_; }
    double squares() const { return reduced_(3, 3) * reduced_(3, 3); }
    /// Of all sums the one that leaves least, if it takes no ray less than not at all.
    std::optional<Eigen::Vector3d> best() const { return sum(solved(reduced_.block<3, 1>(0, 3))); }
    /// The same of all that leave `more` squares than it: that where a parameter is largest, or smallest.
    std::optional<Eigen::Vector3d> farthest(int parameter, double sign, double more) const {
        auto const slopes = forward(rays_.row(parameter).transpose());
        auto const length = slopes.norm();
        if (length == 0) return best(); // none of these rays changes it
        return sum(solved(reduced_.block<3, 1>(0, 3) + sign * std::sqrt(more) / length * slopes));
    }

private:
    bool depends_least(int j) const { return std::fabs(reduced_(j, j)) > 1e-12 * reduced_.col(j).norm(); }
    std::optional<Eigen::Vector3d> sum(Eigen::Vector3d const& amounts) const {
        if (!(amounts.minCoeff() >= 0) || !amounts.allFinite()) return {};
        return rays_ * amounts;
    }
    Eigen::Vector3d solved(Eigen::Vector3d right) const {
        for (int j = 3; j-- != 0;) {
            if (reduced_(j, j) == 0) right(j) = 0;
            else right(j) /= reduced_(j, j);
            for (int i = 0; i != j; ++i) right(i) -= reduced_(i, j) * right(j);
        }
        return right;
    }
    /// By the triangle's transpose.
    Eigen::Vector3d forward(Eigen::Vector3d right) const {
        for (int j = 0; j != 3; ++j) {
            for (int i = 0; i != j; ++i) right(j) -= reduced_(i, j) * right(i);
            if (reduced_(j, j) == 0) right(j) = 0;
            else right(j) /= reduced_(j, j);
        }
        return right;
    }

    Eigen::Matrix3d rays_;
    kinked_triangle reduced_ = kinked_triangle::Zero();
    bool independent_ = true;
};

} // namespace sonde::model
