// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/estimate.hpp>

#include <Eigen/Dense>

namespace sonde::model {

namespace detail {

/// The parameters p that make (rows p - measured) / scale smallest, found with columns of length 1.
inline Eigen::VectorXd solved(Eigen::MatrixXd const& rows, Eigen::VectorXd const& measured,
                              Eigen::VectorXd const& scale) {
    Eigen::MatrixXd const scaled = scale.cwiseInverse().asDiagonal() * rows;
    Eigen::VectorXd lengths = scaled.colwise().norm();
    lengths = (lengths.array() > 0).select(lengths, 1.0);
    Eigen::MatrixXd const unit = scaled * lengths.cwiseInverse().asDiagonal();
    Eigen::VectorXd const of_unit = unit.colPivHouseholderQr().solve(measured.cwiseQuotient(scale));
    return of_unit.cwiseQuotient(lengths);
}

/// The same, worth what residuals relative to `scale` say.
inline estimate weighted(Eigen::MatrixXd const& rows, Eigen::VectorXd const& measured, Eigen::VectorXd const& scale) {
    auto const values = solved(rows, measured, scale);
    Eigen::VectorXd const residuals = (rows * values - measured).cwiseQuotient(scale);
    return estimate_of(values, scale.cwiseInverse().asDiagonal() * rows, residuals);
}

} // namespace detail

/// Parameters, and the sum of squares of model / measured - 1 that they leave.
struct candidate {
    Eigen::VectorXd values;
    double squares = 0;
};

/// The parameters p of a linear model, rows p, that make the sum of squares of model / measured - 1 smallest: to
/// compare many. `least_squares` of the best one then tells what its parameters are worth.
inline candidate least_relative_squares(Eigen::MatrixXd const& rows, Eigen::VectorXd const& measured) {
    auto const values = detail::solved(rows, measured, measured);
    return {values, (rows * values - measured).cwiseQuotient(measured).squaredNorm()};
}

/// The parameters p of a linear model, rows p, that fit positive `measured` values best by relative residuals.
///
/// They are first relative to what was measured, then twice to what the model says: a value that is too small by noise
/// would otherwise weigh more, and every fit be too low by twice the square of the noise.
inline estimate least_squares(Eigen::MatrixXd const& rows, Eigen::VectorXd const& measured) {
    auto fit = detail::weighted(rows, measured, measured);
    for (int i = 0; i != 2; ++i) {
        Eigen::VectorXd const model = rows * fit.values;
        if (!(model.minCoeff() > 0)) break;
        fit = detail::weighted(rows, measured, model);
    }
    return fit;
}

} // namespace sonde::model
