// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <Eigen/Dense>

#include <limits>

namespace sonde::model {

/// What was measured of a model that is linear in (u, v, w), none negative, on either side of a kink at v / u, and
/// continuous there. Rows of points, in the order of their positions.
struct kinked_data {
    Eigen::VectorXd at;     // where a point is: below the kink, or above
    Eigen::MatrixX3d below; // its row if it is below
    Eigen::MatrixX3d above; // its row if it is above; the same model at the kink
    Eigen::VectorXd measured;

    explicit kinked_data(Eigen::Index points) : at(points), below(points, 3), above(points, 3), measured(points) {}
    Eigen::Index points() const { return at.size(); }
    /// How many different positions there are.
    Eigen::Index places() const { return points() == 0 ? 0 : 1 + places_before(at(points() - 1)); }
    /// How many of them are below this one.
    Eigen::Index places_before(double position) const {
        Eigen::Index count = 0;
        for (Eigen::Index i = 0; i != points() && at(i) < position; ++i) count += i == 0 || at(i) != at(i - 1);
        return count;
    }
    /// The rows if the first `low` points are below.
    Eigen::MatrixX3d rows(Eigen::Index low) const {
        auto mixed = above;
        mixed.topRows(low) = below.topRows(low);
        return mixed;
    }
};

/// Parameters with the kink that they have, and the weighted sum of squares that they leave.
struct kinked_solution {
    Eigen::Vector3d values = Eigen::Vector3d::Zero();
    double squares = std::numeric_limits<double>::infinity(); // of none
    Eigen::Index low = 0;                                     // so many points lie below the kink

    /// At 0 where any would do, since nothing depends on the position.
    double kink() const { return values(1) == 0 ? 0 : values(1) / values(0); }
};

} // namespace sonde::model
