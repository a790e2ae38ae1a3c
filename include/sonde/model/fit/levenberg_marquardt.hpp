// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/estimate.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace sonde::model {

namespace detail {

/// The derivative of f at x by central differences.
template <class F>
Eigen::MatrixXd derivative_of(F& f, Eigen::VectorXd const& x) {
    constexpr double step = 6e-6; // the cube root of the rounding error
    Eigen::MatrixXd jacobian;
    for (Eigen::Index j = 0; j != x.size(); ++j) {
        Eigen::VectorXd const h = step * Eigen::VectorXd::Unit(x.size(), j);
        Eigen::VectorXd const slope = (f(Eigen::VectorXd{x + h}) - f(Eigen::VectorXd{x - h})) / (2 * step);
        if (j == 0) jacobian.resize(slope.size(), x.size());
        jacobian.col(j) = slope;
    }
    return jacobian;
}

/// The step that a damped Gauss-Newton iteration takes.
inline Eigen::VectorXd damped_step(Eigen::MatrixXd const& jacobian, Eigen::VectorXd const& residuals, double damping) {
    Eigen::MatrixXd normal = jacobian.transpose() * jacobian;
    normal.diagonal() *= 1 + damping;
    normal.diagonal().array() += 1e-14 * std::max(1e-300, normal.diagonal().maxCoeff());
    return -normal.ldlt().solve(jacobian.transpose() * residuals);
}

/// x that makes the sum of squares of f(x) smallest near where it starts, by Levenberg and Marquardt's method.
template <class F>
Eigen::VectorXd smallest_squares(F& f, Eigen::VectorXd x) {
    Eigen::VectorXd residuals = f(x);
    double damping = 1e-3;
    for (int i = 0; i != 100 && damping < 1e12; ++i) {
        auto const jacobian = derivative_of(f, x);
        Eigen::VectorXd step, there;
        for (; damping < 1e12; damping *= 4) {
            step = damped_step(jacobian, residuals, damping);
            there = f(Eigen::VectorXd{x + step});
            if (there.squaredNorm() <= residuals.squaredNorm()) break; // no number: not either
        }
        if (damping >= 1e12) break;
        x += step;
        residuals = there;
        damping = std::max(1e-12, damping / 10);
        if (step.cwiseAbs().maxCoeff() < 1e-12) break;
    }
    return x;
}

} // namespace detail

/// The positive parameters that fit positive `measured` values best by relative residuals, near `start`; the unknowns
/// are their logarithms.
///
///     model(p) -> Eigen::VectorXd     what is measured by these parameters, one value a point
///
/// Residuals are log(model / measured): relative ones, without the bias towards points that noise made small.
template <class Model>
estimate fit_logarithms(Model const& model, Eigen::VectorXd const& measured, Eigen::VectorXd const& start) {
    auto residuals = [&](Eigen::VectorXd const& logarithms) -> Eigen::VectorXd {
        Eigen::VectorXd const p = logarithms.array().exp();
        return model(p).cwiseQuotient(measured).array().log();
    };
    Eigen::VectorXd const first = start.array().log();
    auto const best = detail::smallest_squares(residuals, first);
    Eigen::VectorXd const values = best.array().exp();
    return estimate_of(values, detail::derivative_of(residuals, best) * values.cwiseInverse().asDiagonal(),
                       residuals(best));
}

} // namespace sonde::model
