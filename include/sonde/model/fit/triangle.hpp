// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <Eigen/Dense>

#include <cmath>

namespace sonde::model::detail {

// Of a model's parameters: few, so nothing is allocated, and what is computed with them compiles in a fraction of the
// time.
inline constexpr int most_parameters = 7;
using few_by_few = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_parameters, most_parameters>;
using few = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_parameters, 1>;
using svd_of_few = Eigen::JacobiSVD<few_by_few, Eigen::NoQRPreconditioner>;

template <class Triangle>
using row_of =
    Eigen::Matrix<double, 1, Triangle::ColsAtCompileTime, Eigen::RowMajor, 1, Triangle::MaxColsAtCompileTime>;

/// Adds a row to what rotations make of rows: the R of their QR decomposition, worth as much as all of them.
///
/// No sum of squares is formed, in which digits would cancel (Golub and Van Loan, Matrix Computations, 5.2.5).
template <class Triangle>
void rotate_in(Triangle& triangle, row_of<Triangle> row) {
    for (Eigen::Index j = 0; j != row.size(); ++j) {
        auto const length = std::sqrt(triangle(j, j) * triangle(j, j) + row(j) * row(j));
        if (row(j) == 0 || length == 0) continue; // the latter where squares vanish
        auto const c = triangle(j, j) / length, s = row(j) / length;
        row_of<Triangle> const turned = c * triangle.row(j) + s * row;
        row = c * row - s * triangle.row(j);
        triangle.row(j) = turned;
    }
}

/// That of many rows.
inline few_by_few triangle_of(Eigen::MatrixXd const& rows) {
    few_by_few triangle = few_by_few::Zero(rows.cols(), rows.cols());
    for (Eigen::Index i = 0; i != rows.rows(); ++i) rotate_in(triangle, rows.row(i));
    return triangle;
}

/// x of a x = b; where columns of `a` depend on each other, the smallest of those that come as close as any.
inline few_by_few divided(few_by_few const& b, few_by_few const& a) {
    return svd_of_few{a, Eigen::ComputeFullU | Eigen::ComputeFullV}.solve(b);
}

} // namespace sonde::model::detail
