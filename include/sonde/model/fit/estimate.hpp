// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sonde::model {

/// Below this, relative residuals are rounding: no interval gets narrower by them.
constexpr double rounding_residual = 1e-9;

/// Parameters that a least-squares fit of relative residuals ended with, and what is needed to say how far to trust
/// them.
struct estimate {
    Eigen::VectorXd values;
    Eigen::MatrixXd jacobian; // of the relative residuals by the parameters: a row a point, a column a parameter
    double rms = 0;           // of the relative residuals, by degrees of freedom
    double freedom = 0;       // points - parameters
    Eigen::MatrixXd covariance;
    bool full_rank = false; // otherwise columns of the Jacobian depend on each other and the covariance is infinite

    double deviation(Eigen::Index i) const { return std::sqrt(covariance(i, i)); }
    /// The standard deviation of a function of the parameters that has this gradient.
    double deviation(Eigen::VectorXd const& gradient) const {
        return full_rank ? std::sqrt(std::max(0.0, gradient.dot(covariance * gradient)))
                         : std::numeric_limits<double>::infinity();
    }
    /// Of the Jacobian by logarithms of parameters: how much worse the worst direction is known than the best.
    double condition() const {
        if (!full_rank) return std::numeric_limits<double>::infinity();
        Eigen::MatrixXd const by_logarithms = jacobian * values.asDiagonal();
        auto const singular = Eigen::JacobiSVD<Eigen::MatrixXd>{by_logarithms}.singularValues();
        return singular(0) / singular(singular.size() - 1);
    }
    /// The same fit by other parameters, as many; `derivative(i, j)` is that of the new one i by the old one j.
    estimate in_terms_of(Eigen::VectorXd others, Eigen::MatrixXd const& derivative) const {
        auto changed = *this;
        changed.values = std::move(others);
        changed.jacobian = jacobian * derivative.inverse();
        if (full_rank) changed.covariance = derivative * covariance * derivative.transpose();
        return changed;
    }
};

namespace detail {

/// (J^T J)^-1, found with columns of length 1 whatever the parameters' units; empty where columns depend on each
/// other.
inline Eigen::MatrixXd inverse_information(Eigen::MatrixXd const& jacobian) {
    Eigen::VectorXd const lengths = jacobian.colwise().norm();
    if (!(lengths.minCoeff() > 0) || !lengths.allFinite()) return {};
    Eigen::MatrixXd const unit = jacobian * lengths.cwiseInverse().asDiagonal();
    Eigen::JacobiSVD<Eigen::MatrixXd> svd{unit, Eigen::ComputeThinU | Eigen::ComputeThinV};
    svd.setThreshold(1e-12);
    if (svd.rank() < unit.cols()) return {};
    Eigen::MatrixXd const root =
        lengths.cwiseInverse().asDiagonal() * svd.matrixV() * svd.singularValues().cwiseInverse().asDiagonal();
    return root * root.transpose();
}

} // namespace detail

/// What `values` are worth, of the Jacobian and the relative residuals that they leave. Each error is taken to be the
/// residuals' rms, and not smaller than what `floors` says of it, where there are floors, nor than rounding's.
inline estimate estimate_of(Eigen::VectorXd values, Eigen::MatrixXd jacobian, Eigen::VectorXd const& residuals,
                            Eigen::VectorXd const& floors = {}) {
    estimate e;
    e.values = std::move(values);
    e.jacobian = std::move(jacobian);
    e.freedom = static_cast<double>(e.jacobian.rows() - e.jacobian.cols());
    constexpr auto infinite = std::numeric_limits<double>::infinity();
    e.rms = e.freedom > 0 ? std::sqrt(residuals.squaredNorm() / e.freedom) : infinite;
    auto const inverse = detail::inverse_information(e.jacobian);
    e.full_rank = inverse.size() != 0 && e.freedom > 0;
    auto const parameters = e.jacobian.cols();
    auto const error = std::max(e.rms, rounding_residual);
    if (!e.full_rank) {
        e.covariance = Eigen::MatrixXd::Constant(parameters, parameters, infinite);
    } else if (floors.size() == 0 || floors.maxCoeff() <= error) {
        e.covariance = error * error * inverse;
    } else {
        Eigen::MatrixXd const by_errors = inverse * e.jacobian.transpose() * floors.cwiseMax(error).asDiagonal();
        e.covariance = by_errors * by_errors.transpose();
    }
    return e;
}

} // namespace sonde::model
