// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/regression/fit_result.hpp"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace tools::regression {

// Matrices with a row or a column for each parameter of a model. With a fixed maximum they need no allocation, and
// their decompositions compile in a fraction of the time.
inline constexpr int max_parameters = 7;
using small_matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_parameters, max_parameters>;
using small_vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_parameters, 1>;
using small_svd = Eigen::JacobiSVD<small_matrix, Eigen::NoQRPreconditioner>;

/// Updates R, the triangular factor of the QR decomposition of some rows, for one more row by Givens rotations. Unlike
/// sums of squares these do not cancel digits (Golub and Van Loan, Matrix Computations, 5.2.5).
template <class Matrix, class Row>
void add_row(Matrix& r, Row row) {
    for (Eigen::Index j = 0; j != row.size(); ++j) {
        if (row(j) == 0) continue;
        Eigen::JacobiRotation<double> g;
        g.makeGivens(r(j, j), row(j));
        for (auto k = j; k != row.size(); ++k) {
            auto const above = r(j, k);
            r(j, k) = g.c() * above - g.s() * row(k);
            row(k) = g.s() * above + g.c() * row(k);
        }
    }
}

inline bool all_finite(small_matrix const& m) {
    return std::all_of(m.data(), m.data() + m.size(), [](double x) { return is_finite(x); });
}

/// The vector of f(point) for each point.
template <class Points, class F>
Eigen::VectorXd vector_of(Points const& points, F f) {
    Eigen::VectorXd v(static_cast<Eigen::Index>(points.size()));
    std::transform(points.begin(), points.end(), v.begin(), f);
    return v;
}

/// Design matrix (1, size - origin) of a line: its first parameter is its value at `origin`.
template <class Points>
Eigen::MatrixXd line_matrix(Points const& points, bytes origin) {
    Eigen::MatrixXd rows(static_cast<Eigen::Index>(points.size()), 2);
    rows << Eigen::VectorXd::Ones(rows.rows()),
        vector_of(points, [&](auto const& p) { return p.size.count() - origin.count(); });
    return rows;
}

/// R of the rows (design matrix, measured value) / scale.
inline small_matrix triangular_factor(Eigen::MatrixXd const& rows, Eigen::VectorXd const& measured,
                                      Eigen::VectorXd const& scale) {
    auto const p = rows.cols();
    small_matrix r = small_matrix::Zero(p + 1, p + 1);
    small_vector row(p + 1);
    for (Eigen::Index i = 0; i != rows.rows(); ++i) {
        for (Eigen::Index j = 0; j != p; ++j) row(j) = rows(i, j) / scale(i);
        row(p) = measured(i) / scale(i);
        add_row(r, row);
    }
    return r;
}

/// Relative residuals below this limit are rounding errors. No confidence interval is narrower than they allow.
inline constexpr double rounding_residual = 1e-9;

/// Parameters of a weighted least-squares fit, their covariance and the quality of the fit.
struct least_squares_result {
    Eigen::VectorXd values;        // of the parameters
    small_matrix jacobian;         // triangular factor of the Jacobian of relative residuals by parameters
    double rms = 0;                // of the relative residuals, by degrees of freedom; 0 if there are none
    double degrees_of_freedom = 0; // points - parameters
    small_matrix covariance;       // 0 unless full_rank
    bool full_rank = false;        // the columns of the Jacobian are independent, with degrees of freedom

    /// `unlimited` unless full_rank.
    double standard_error(Eigen::Index i) const { return full_rank ? std::sqrt(covariance(i, i)) : unlimited; }
    /// Standard error of a function of the parameters that has this gradient.
    double standard_error(small_vector const& gradient) const {
        return full_rank ? std::sqrt(std::max(0.0, gradient.dot(covariance * gradient))) : unlimited;
    }
    /// Condition number of the Jacobian of relative residuals by logarithms of the parameters; `unlimited` if they are
    /// dependent.
    double condition_number() const {
        if (!full_rank) return unlimited;
        small_matrix const by_logarithms = jacobian * values.asDiagonal();
        auto const singular = small_svd{by_logarithms}.singularValues();
        auto const largest = singular(0), smallest = singular(singular.size() - 1);
        return largest > 0 && smallest > largest / unlimited ? largest / smallest : unlimited;
    }
    /// The same fit with the same number of other parameters. `derivative(i, j)` is the derivative of the new parameter
    /// i by the old parameter j.
    template <int Parameters>
    least_squares_result reparameterized(Eigen::VectorXd new_values,
                                         Eigen::Matrix<double, Parameters, Parameters> const& derivative) const {
        auto result = *this;
        result.values = std::move(new_values);
        result.jacobian = jacobian * derivative.inverse();
        if (full_rank) result.covariance = derivative * covariance * derivative.transpose();
        return result;
    }
};

/// Weighted least squares with residuals relative to `scale`. If columns are dependent, it returns the smallest of all
/// solutions. The standard deviation of each observation is the rms of the residuals, but at least the rounding error
/// and its element of `minimum_errors` (if not empty).
inline least_squares_result fit_weighted(Eigen::MatrixXd const& rows, Eigen::VectorXd const& measured,
                                         Eigen::VectorXd const& scale, Eigen::VectorXd const& minimum_errors = {}) {
    auto const p = rows.cols();
    auto const r = triangular_factor(rows, measured, scale);
    least_squares_result result;
    result.jacobian = r.topLeftCorner(p, p);
    small_vector unit = result.jacobian.colwise().norm(); // columns of length 1: the parameters' units do not matter
    for (auto& length : unit) length = length > 0 ? 1 / length : 1;
    small_svd const svd{result.jacobian * unit.asDiagonal(), Eigen::ComputeFullU | Eigen::ComputeFullV};
    small_vector singular = svd.singularValues();
    auto const least = 1e-12 * singular(0);
    bool const independent = all_finite(r) && singular(p - 1) > least;
    for (auto& value : singular) value = value > least ? 1 / value : 0;
    small_matrix const root = unit.asDiagonal() * svd.matrixV() * singular.asDiagonal();
    small_vector const right = r.col(p);
    result.values = root * (svd.matrixU().transpose() * right.head(p));
    result.degrees_of_freedom = static_cast<double>(rows.rows() - p);
    result.full_rank = independent && result.degrees_of_freedom > 0;
    result.covariance = small_matrix::Zero(p, p);
    if (result.degrees_of_freedom > 0)
        result.rms = (r.leftCols(p) * result.values - right).norm() / std::sqrt(result.degrees_of_freedom);
    if (!result.full_rank) return result;
    small_matrix const inverse = root * root.transpose(); // (J^T J)^-1
    auto const error = std::max(result.rms, rounding_residual);
    result.covariance = error * error * inverse;
    if (minimum_errors.size() != 0 && minimum_errors.maxCoeff() > error) {
        Eigen::VectorXd const by_error = scale.cwiseQuotient(minimum_errors.cwiseMax(error));
        small_matrix const errors = triangular_factor(rows, measured, by_error).topLeftCorner(p, p) * inverse;
        result.covariance = errors.transpose() * errors;
    }
    return result;
}

/// Weighted least-squares fit of a linear model, rows * p, to positive `measured` values, with relative residuals.
/// `minimum_errors`, if not empty, has the relative rounding error of each value.
///
/// The first fit takes its weights from the measured values. If all residuals are small, two more fits take their
/// weights from the fitted values. The reason is that measured weights give more weight to values that noise made
/// smaller, so the fit is too low by twice the square of the noise. With a large residual, weights of fitted values are
/// not used, because an outlier would then raise the curve and with it its own weight.
[[nodiscard]] inline least_squares_result least_squares(Eigen::MatrixXd const& rows, Eigen::VectorXd const& measured,
                                                        Eigen::VectorXd const& minimum_errors = {}) {
    constexpr double largest_small_residual = 0.3;
    auto fit = fit_weighted(rows, measured, measured, minimum_errors);
    for (int i = 0; i != 2; ++i) {
        Eigen::VectorXd const model = rows * fit.values;
        if (!(((model - measured).array() / measured.array()).abs().maxCoeff() < largest_small_residual)) break;
        fit = fit_weighted(rows, measured, model, minimum_errors);
    }
    return fit;
}

/// Quantile of Student's t distribution; by default the factor of a two-sided 95 % interval. `unlimited` without
/// degrees of freedom.
[[nodiscard]] inline double student_quantile(double degrees_of_freedom, double probability = 0.975) {
    if (!(degrees_of_freedom > 0)) return unlimited;
    return boost::math::quantile(boost::math::students_t{degrees_of_freedom}, probability);
}

/// Name, unit and segment of a parameter.
struct parameter_id {
    std::string name;        // symbol of the model's source: "T_l"
    std::string unit;        // "s"
    std::size_t segment = 0; // size range of a piecewise model, from 0
};

/// Largest ratio of the ends of a confidence interval. With a larger ratio not even the order of magnitude of the
/// parameter is known, and the parameter is not determined.
inline constexpr double widest_interval = 10;

/// The fit of only column i of a line's design matrix, as a line whose other parameter is 0. The Jacobian is still the
/// Jacobian of the column.
inline least_squares_result as_line(least_squares_result fit, Eigen::Index i) {
    auto const value = fit.values(0);
    auto const variance = fit.covariance(0, 0);
    fit.values = Eigen::Vector2d::Zero();
    fit.covariance = Eigen::Matrix2d::Zero();
    fit.values(i) = value;
    fit.covariance(i, i) = variance;
    return fit;
}

/// A fitted line, and the line that replaces it if its constant or its slope is negative. Neither is negative in a
/// model, so the replacement is a line through the origin or a constant.
struct non_negative_line {
    least_squares_result free;
    least_squares_result constrained; // the same if both parameters are positive
    Eigen::Index zero = -1;           // the parameter that is 0 in `constrained`; -1: none

    /// `fit(columns)` fits these columns of the design matrix.
    template <class Fit>
    non_negative_line(Eigen::MatrixXd const& rows, Fit fit) : free{fit(rows)}, constrained{free} {
        zero = free.values(1) <= 0 ? 1 : free.values(0) < 0 ? 0 : -1;
        if (zero != -1) constrained = as_line(fit(rows.col(1 - zero)), 1 - zero);
    }
};

inline parameter_estimate make_parameter(parameter_id id, double value, double low, double high,
                                         parameter_status status = parameter_status::determined) {
    return {std::move(id.name), std::move(id.unit), value, low, high, status, id.segment};
}
inline parameter_estimate lower_bound(parameter_id id, double bound) {
    return make_parameter(std::move(id), bound, bound, unlimited, parameter_status::lower_bound);
}
inline parameter_estimate upper_bound(parameter_id id, double bound) {
    return make_parameter(std::move(id), bound, 0, bound, parameter_status::upper_bound);
}
inline parameter_estimate undetermined(parameter_id id, double value) {
    return make_parameter(std::move(id), value, 0, unlimited, parameter_status::undetermined);
}

/// Estimate of the reciprocal of a parameter. An upper bound becomes a lower bound.
inline parameter_estimate reciprocal(parameter_estimate p) {
    p.value = reciprocal_of(p.value);
    p.low = std::exchange(p.high, reciprocal_of(p.low)); // 0 and `unlimited` are the ends of an open interval
    p.low = reciprocal_of(p.low);
    if (p.status == parameter_status::upper_bound) p.status = parameter_status::lower_bound;
    return p;
}

/// Estimate of a non-negative parameter of a linear model: value +- t standard errors.
///
/// If the interval includes zero or is wider than `widest_interval`, its upper end is an upper bound and becomes the
/// value. If the whole interval is below zero, the parameter is undetermined.
[[nodiscard]] inline parameter_estimate linear_parameter(parameter_id id, double value, double standard_error,
                                                         double degrees_of_freedom) {
    auto const known = degrees_of_freedom > 0 && standard_error < unlimited;
    auto const half_width = known ? student_quantile(degrees_of_freedom) * standard_error : unlimited;
    auto const low = value - half_width, high = known ? value + half_width : unlimited;
    if (low > 0 && high <= widest_interval * low) return make_parameter(std::move(id), value, low, high);
    if (high > 0 && high < unlimited) return upper_bound(std::move(id), high);
    return undetermined(std::move(id), std::max(0.0, value));
}
/// The same for parameter i of a fit.
[[nodiscard]] inline parameter_estimate linear_parameter(parameter_id id, least_squares_result const& fit,
                                                         Eigen::Index i) {
    return linear_parameter(std::move(id), fit.values(i), fit.standard_error(i), fit.degrees_of_freedom);
}

/// Estimate of the reciprocal of a linear parameter: a rate from the time per byte, for example.
[[nodiscard]] inline parameter_estimate reciprocal_parameter(parameter_id id, double value, double standard_error,
                                                             double degrees_of_freedom) {
    return reciprocal(linear_parameter(std::move(id), value, standard_error, degrees_of_freedom));
}

/// Estimate of the ratio of the non-negative parameters i and j. The interval contains all ratios q for which
/// p_i - q p_j may be zero (Fieller 1954); it is exact for a linear model.
///
/// If the interval of p_i includes zero, the ratio has only an upper bound. If the interval of p_j includes zero, it
/// has only a lower bound. If both intervals include zero, it is undetermined. If the interval is wider than
/// `widest_interval`, the parameter with the larger relative error is taken to include zero.
[[nodiscard]] inline parameter_estimate ratio_parameter(parameter_id id, least_squares_result const& fit,
                                                        Eigen::Index i, Eigen::Index j) {
    auto const p_i = fit.values(i), p_j = fit.values(j);
    auto const ratio = p_i > 0 && p_j > 0 ? p_i / p_j : 0;
    auto const none = [&] { return undetermined(id, ratio); };
    if (!fit.full_rank) return none();
    auto const t2 = std::pow(student_quantile(fit.degrees_of_freedom), 2);
    auto const a = p_j * p_j - t2 * fit.covariance(j, j); // positive if p_j is not zero
    auto const b = p_i * p_j - t2 * fit.covariance(i, j);
    auto const c = p_i * p_i - t2 * fit.covariance(i, i); // positive if p_i is not zero
    bool has_low = c > 0, has_high = a > 0;
    if ((has_low && p_i <= 0) || (has_high && p_j <= 0) || (!has_low && !has_high)) return none();
    auto const sum = b + std::sqrt(std::max(0.0, b * b - a * c));
    // The roots of the quadratic, the lower one without cancellation.
    auto const low = has_low ? c / sum : 0, high = has_high ? sum / a : unlimited;
    if (has_low && has_high && high > widest_interval * low)
        (fit.standard_error(i) * p_j > fit.standard_error(j) * p_i ? has_low : has_high) = false;
    if (!has_low) return upper_bound(std::move(id), high);
    if (!has_high) return lower_bound(std::move(id), low);
    return make_parameter(std::move(id), ratio, low, high);
}

} // namespace tools::regression
