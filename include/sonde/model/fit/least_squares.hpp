// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/estimate.hpp>

#include <Eigen/Dense>

namespace sonde::model {

namespace detail {

/// The parameters p that make (rows p - measured) / scale smallest, found with columns of length 1.
inline Eigen::VectorXd solved(Eigen::MatrixXd const& rows, Eigen::VectorXd const& measured,
                              Eigen::VectorXd const& scale) {
    auto const p = rows.cols();
    Eigen::MatrixXd scaled{rows.rows(), p + 1};
    scaled << rows, measured;
    few_by_few const worth = triangle_of(scale.cwiseInverse().asDiagonal() * scaled);
    few lengths = worth.topLeftCorner(p, p).colwise().norm();
    lengths = (lengths.array() > 0).select(lengths, 1.0);
    few_by_few const unit = worth.topLeftCorner(p, p) * lengths.cwiseInverse().asDiagonal();
    return divided(worth.topRightCorner(p, 1), unit).col(0).cwiseQuotient(lengths);
}

/// The same, worth what residuals relative to `scale` say.
inline estimate weighted(Eigen::MatrixXd const& rows, Eigen::VectorXd const& measured, Eigen::VectorXd const& scale,
                         Eigen::VectorXd const& floors = {}) {
    auto const values = solved(rows, measured, scale);
    Eigen::VectorXd const residuals = (rows * values - measured).cwiseQuotient(scale);
    return estimate_of(values, scale.cwiseInverse().asDiagonal() * rows, residuals, floors);
}

} // namespace detail

/// The parameters p of a linear model, rows p, that fit positive `measured` values best by relative residuals; of each
/// of these, `floors` may say what rounding alone makes of it.
///
/// They are relative to what was measured, and then, where they are small, twice to what the model says: a value that
/// is too small by noise would otherwise weigh more, and every fit be too low by twice the square of the noise. Where
/// one is not small the model is none to weigh by: a value that is far too large would make the weight it needs.
[[nodiscard]] inline estimate least_squares(Eigen::MatrixXd const& rows, Eigen::VectorXd const& measured,
                                            Eigen::VectorXd const& floors = {}) {
    constexpr double small = 0.3;
    auto fit = detail::weighted(rows, measured, measured, floors);
    for (int i = 0; i != 2; ++i) {
        Eigen::VectorXd const model = rows * fit.values;
        if (!(((model - measured).array() / measured.array()).abs().maxCoeff() < small)) break;
        fit = detail::weighted(rows, measured, model, floors);
    }
    return fit;
}

} // namespace sonde::model
