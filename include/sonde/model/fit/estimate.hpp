// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/triangle.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sonde::model {

/// Below this, relative residuals are rounding: no interval gets narrower by them.
inline constexpr double rounding_residual = 1e-9;

/// Parameters that a least-squares fit of relative residuals ended with, and what is needed to say how far to trust
/// them.
struct estimate {
    Eigen::VectorXd values;
    detail::few_by_few jacobian; // of the relative residuals by the parameters: as many rows, worth those of all points
    double rms = 0;              // of the relative residuals, by degrees of freedom
    double freedom = 0;          // points - parameters
    detail::few_by_few covariance;
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
        detail::few_by_few const by_logarithms = jacobian * values.asDiagonal();
        auto const singular = detail::svd_of_few{by_logarithms}.singularValues();
        return singular(0) / singular(singular.size() - 1);
    }
    /// The same fit by other parameters, as many; `derivative(i, j)` is that of the new one i by the old one j.
    estimate in_terms_of(Eigen::VectorXd others, detail::few_by_few const& derivative) const {
        auto changed = *this;
        changed.values = std::move(others);
        Eigen::FullPivLU<detail::few_by_few> of_derivative{derivative.transpose()};
        of_derivative.setThreshold(0); // parameters have units: none is small
        changed.jacobian = of_derivative.solve(jacobian.transpose()).transpose();
        if (full_rank) changed.covariance = derivative * covariance * derivative.transpose();
        return changed;
    }
};

namespace detail {

/// (J^T J)^-1, found with columns of length 1 whatever the parameters' units; empty where columns depend on each
/// other.
inline few_by_few inverse_information(few_by_few const& jacobian) {
    few const lengths = jacobian.colwise().norm();
    if (!(lengths.minCoeff() > 0) || !lengths.allFinite()) return {};
    svd_of_few svd{jacobian * lengths.cwiseInverse().asDiagonal(), Eigen::ComputeFullU | Eigen::ComputeFullV};
    svd.setThreshold(1e-12);
    if (svd.rank() < jacobian.cols()) return {};
    few_by_few const root =
        lengths.cwiseInverse().asDiagonal() * svd.matrixV() * svd.singularValues().cwiseInverse().asDiagonal();
    return root * root.transpose();
}

} // namespace detail

/// What `values` are worth, of the Jacobian and the relative residuals that they leave. Each error is taken to be the
/// residuals' rms, and not smaller than what `floors` says of it, where there are floors, nor than rounding's.
[[nodiscard]] inline estimate estimate_of(Eigen::VectorXd values, Eigen::MatrixXd const& jacobian,
                                          Eigen::VectorXd const& residuals, Eigen::VectorXd const& floors = {}) {
    estimate e;
    e.values = std::move(values);
    e.jacobian = detail::triangle_of(jacobian);
    e.freedom = static_cast<double>(jacobian.rows() - jacobian.cols());
    constexpr auto infinite = std::numeric_limits<double>::infinity();
    e.rms = e.freedom > 0 ? std::sqrt(residuals.squaredNorm() / e.freedom) : infinite;
    auto const inverse = detail::inverse_information(e.jacobian);
    e.full_rank = inverse.size() != 0 && e.freedom > 0;
    auto const parameters = e.jacobian.cols();
    auto const error = std::max(e.rms, rounding_residual);
    if (!e.full_rank) {
        e.covariance = detail::few_by_few::Constant(parameters, parameters, infinite);
    } else if (floors.size() == 0 || floors.maxCoeff() <= error) {
        e.covariance = error * error * inverse;
    } else {
        detail::few_by_few const by_errors =
            detail::triangle_of(floors.cwiseMax(error).asDiagonal() * jacobian) * inverse;
        e.covariance = by_errors.transpose() * by_errors;
    }
    return e;
}

} // namespace sonde::model
