// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <Eigen/Dense>

#include <cmath>

namespace sonde::model::detail {

// Of a model's parameters: few, so nothing is allocated, and what is computed with them compiles in a fraction of the
// time.
constexpr int most_parameters = 7;
using few_by_few = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_parameters, most_parameters>;
using few = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_parameters, 1>;
using row_of_few = Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, most_parameters>;
using svd_of_few = Eigen::JacobiSVD<few_by_few, Eigen::NoQRPreconditioner>;

/// What rotations make of rows, one after another: the R of their QR decomposition, worth as much as all of them.
///
/// No sum of squares is formed, in which digits would cancel (Golub and Van Loan, Matrix Computations, 5.2.5).
inline few_by_few triangle_of(Eigen::MatrixXd const& rows) {
    few_by_few triangle = few_by_few::Zero(rows.cols(), rows.cols());
    for (Eigen::Index i = 0; i != rows.rows(); ++i) {
        row_of_few row = rows.row(i);
        for (Eigen::Index j = 0; j != row.size(); ++j) {
            auto const length = std::hypot(triangle(j, j), row(j));
            if (length == 0) continue;
            auto const c = triangle(j, j) / length, s = row(j) / length;
            row_of_few const turned = c * triangle.row(j) + s * row;
            row = c * row - s * triangle.row(j);
            triangle.row(j) = turned;
        }
    }
    return triangle;
}

/// x of a x = b; where columns of `a` depend on each other, the smallest of those that come as close as any.
inline few_by_few divided(few_by_few const& b, few_by_few const& a) {
    return svd_of_few{a, Eigen::ComputeFullU | Eigen::ComputeFullV}.solve(b);
}

} // namespace sonde::model::detail
