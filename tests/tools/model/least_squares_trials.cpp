// SPDX-License-Identifier: BSL-1.0
#include "noise.hpp"
#include "trials.hpp"

#include "tools/model/regression/least_squares.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace covering;
using namespace sonde::model;
using namespace tools::regression;

TEST_CASE("intervals of a line's parameters cover the truth in 93 to 97 % of trials, of few points and of many") {
    for (int const points : {5, 20, 200}) {
        Eigen::MatrixXd rows(points, 2);
        for (int i = 0; i != points; ++i) rows.row(i) << 1, std::pow(2, 22.0 * i / (points - 1));
        Eigen::VectorXd const truth = rows * Eigen::Vector2d{2e-6, 1e-10};
        noise noisy{0.02};
        fraction constant, slope;
        for (int trial = 0; trial != 1000; ++trial) {
            Eigen::VectorXd const measured = truth.unaryExpr([&](double t) { return noisy(t); });
            auto const fit = least_squares(rows, measured);
            constant.add(holds(
                linear_parameter({"alpha", "s"}, fit.values(0), fit.standard_error(0), fit.degrees_of_freedom), 2e-6));
            slope.add(holds(
                reciprocal_parameter({"r_inf", "B/s"}, fit.values(1), fit.standard_error(1), fit.degrees_of_freedom),
                1e10));
        }
        CAPTURE(points);
        CHECK_MESSAGE((constant.of_all() >= 0.93 && constant.of_all() <= 0.97), constant.of_all());
        CHECK_MESSAGE((slope.of_all() >= 0.93 && slope.of_all() <= 0.97), slope.of_all());
    }
}
