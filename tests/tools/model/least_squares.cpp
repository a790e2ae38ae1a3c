// SPDX-License-Identifier: BSL-1.0
#include "tools/model/regression/least_squares.hpp"
#include "../../relative_difference.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace sonde::model;
using namespace tools::regression;

namespace {

/// T = a + b x at x = 8, 32, .. 8 MiB.
Eigen::MatrixXd line_rows() {
    Eigen::MatrixXd rows(11, 2);
    for (int i = 0; i != 11; ++i) rows.row(i) << 1, 8 * std::pow(4, i);
    return rows;
}

} // namespace

TEST_CASE("a linear model without noise comes back in any units, with intervals of rounding error") {
    auto const rows = line_rows();
    Eigen::Vector2d const truth{2e-6, 1e-10};
    auto const fit = least_squares(rows, rows * truth);
    CHECK(relative_difference(fit.values(0), 2e-6) < 1e-12);
    CHECK(relative_difference(fit.values(1), 1e-10) < 1e-12);
    CHECK(fit.rms < 1e-12);
    CHECK(fit.degrees_of_freedom == 9);
    CHECK(fit.standard_error(0) / 2e-6 < 1e-9);
}

TEST_CASE("a constant is the mean with its standard error, and small measurements do not get more weight") {
    auto const fit = least_squares(Eigen::Vector2d{1, 1}, Eigen::Vector2d{1, 1.2});
    CHECK(relative_difference(fit.values(0), 1.1) < 1e-4); // after two rounds of weights
    CHECK(relative_difference(fit.standard_error(0), 0.1) < 1e-2);
    CHECK(relative_difference(fit.rms, 0.2 / 1.1 / std::sqrt(2.0)) < 2e-2);
}

TEST_CASE("an outlier 20 times too large does not inflate its own weight") {
    auto const rows = line_rows();
    Eigen::VectorXd measured = rows * Eigen::Vector2d{2e-6, 1e-10};
    for (int const slow : {0, 5, 10}) {
        CAPTURE(slow);
        Eigen::VectorXd with_slow = measured;
        with_slow(slow) *= 20;
        auto const fit = least_squares(rows, with_slow);
        Eigen::VectorXd const relative = (rows * fit.values).cwiseQuotient(measured);
        CHECK(relative.topRows(9).minCoeff() > 0.95);
        CHECK(relative.topRows(9).maxCoeff() < 1.25);
    }
}

TEST_CASE("rounding error enlarges standard errors even if residuals are zero") {
    Eigen::MatrixXd const rows = line_rows().topRows(3);
    Eigen::Vector3d const measured = Eigen::Vector3d::Constant(2e-6), floors = Eigen::Vector3d::Constant(0.0025);
    CHECK(least_squares(rows, measured).standard_error(0) < 1e-14);
    auto const fit = least_squares(rows, measured, floors);
    CHECK(fit.rms < 1e-12);
    CHECK(fit.standard_error(0) > 0.001 * 2e-6);
    CHECK(fit.standard_error(0) < 0.005 * 2e-6);
    CHECK(fit.standard_error(1) * 128 > 0.001 * 2e-6); // of the largest size's time
}

TEST_CASE("parameters that the data do not separate have no standard error, and the fit has no condition number") {
    Eigen::MatrixXd rows(4, 2);
    rows << 1, 1024, 1, 1024, 1, 1024, 1, 1024;
    auto const fit = least_squares(rows, Eigen::Vector4d{1, 1.1, 0.9, 1});
    CHECK_FALSE(fit.full_rank);
    CHECK(fit.standard_error(0) == unlimited);
    CHECK(fit.standard_error(Eigen::Vector2d{1, 1}) == unlimited);
    CHECK(fit.condition_number() == unlimited);
}

TEST_CASE("as many points as parameters give no standard errors") {
    auto const fit = least_squares(line_rows().topRows(2), Eigen::Vector2d{1e-6, 2e-6});
    CHECK(fit.degrees_of_freedom == 0);
    CHECK(fit.rms == 0);
    CHECK(fit.standard_error(0) == unlimited);
}

TEST_CASE("the condition number is 1 for independent parameters, and grows as they become collinear") {
    auto const apart_from_each_other = least_squares(Eigen::MatrixXd{Eigen::MatrixXd::Identity(2, 2).replicate(2, 1)},
                                                     Eigen::Vector4d{1e-6, 1e9, 1e-6, 1e9});
    CHECK(relative_difference(apart_from_each_other.condition_number(), 1) < 1e-9);
    auto const rows = line_rows();
    auto const alike = least_squares(rows.bottomRows(4), rows.bottomRows(4) * Eigen::Vector2d{2e-6, 1e-10});
    CHECK(alike.condition_number() > 10 * least_squares(rows, rows * Eigen::Vector2d{2e-6, 1e-10}).condition_number());
}

TEST_CASE("a reparameterized fit has its own standard errors, and the inverse restores the first") {
    auto const rows = line_rows();
    Eigen::VectorXd measured = rows * Eigen::Vector2d{2e-6, 1e-10};
    for (int i = 0; i != 11; ++i) measured(i) *= i % 2 == 0 ? 1.02 : 0.98;
    auto const fit = least_squares(rows, measured);
    double const rate = 1 / fit.values(1);
    Eigen::Matrix2d const derivative{{1, 0}, {0, -rate * rate}};
    auto const by_rate = fit.reparameterized(Eigen::Vector2d{fit.values(0), rate}, derivative);
    CHECK(relative_difference(by_rate.standard_error(1) / rate, fit.standard_error(1) / fit.values(1)) < 1e-12);
    CHECK(relative_difference(by_rate.condition_number(), fit.condition_number()) < 1e-9);
    CHECK(relative_difference(fit.standard_error(Eigen::Vector2d{0, -rate * rate}), by_rate.standard_error(1)) < 1e-12);
}

TEST_CASE("Student's t has the quantiles of its tables") {
    CHECK(std::fabs(student_quantile(1) - 12.7062) < 1e-4);
    CHECK(std::fabs(student_quantile(10) - 2.22814) < 1e-5);
    CHECK(std::fabs(student_quantile(1000) - 1.96234) < 1e-5);
    CHECK(student_quantile(0) == unlimited);
}

TEST_CASE("a parameter's interval is its value +- t standard errors") {
    auto const p = linear_parameter({"alpha", "s", 2}, 10, 1, 10);
    CHECK(p.status == parameter_status::determined);
    CHECK(relative_difference(p.low, 10 - 2.22814) < 1e-5);
    CHECK(relative_difference(p.high, 10 + 2.22814) < 1e-5);
    CHECK((p.name == "alpha" && p.unit == "s" && p.segment == 2));
}

TEST_CASE("a parameter whose interval reaches zero has an upper bound only") {
    auto const p = linear_parameter({"alpha", "s"}, 2, 1, 10);
    CHECK(p.status == parameter_status::upper_bound);
    CHECK(p.low == 0);
    CHECK(relative_difference(p.high, 4.22814) < 1e-5);
    CHECK(p.value == p.high);
}

TEST_CASE("a nonpositive or unknown value of a positive parameter is undetermined") {
    for (auto const& p :
         {linear_parameter({"alpha", "s"}, -9, 1, 10), linear_parameter({"alpha", "s"}, 9, unlimited, 10),
          linear_parameter({"alpha", "s"}, 9, 1, 0)}) {
        CHECK(p.status == parameter_status::undetermined);
        CHECK(p.low == 0);
        CHECK(p.value >= 0);
        CHECK(p.high == unlimited);
    }
}

TEST_CASE("a rate's interval is the inverted interval of the time per byte") {
    auto const p = reciprocal_parameter({"r_inf", "B/s"}, 10, 1, 10);
    CHECK(p.status == parameter_status::determined);
    CHECK(relative_difference(p.value, 0.1) < 1e-12);
    CHECK(relative_difference(p.low, 1 / 12.22814) < 1e-5);
    CHECK(relative_difference(p.high, 1 / 7.77186) < 1e-5);
}

TEST_CASE("a rate whose time per byte may be zero has a lower bound only") {
    auto const p = reciprocal_parameter({"r_inf", "B/s"}, 2, 1, 10);
    CHECK(p.status == parameter_status::lower_bound);
    CHECK(relative_difference(p.low, 1 / 4.22814) < 1e-5);
    CHECK(p.value == p.low);
    CHECK(p.high == unlimited);
    auto const none = reciprocal_parameter({"r_inf", "B/s"}, -9, 1, 10);
    CHECK(none.status == parameter_status::undetermined);
    CHECK((none.low == 0 && none.high == unlimited));
}

TEST_CASE("a parameter of any kind whose interval spans more than a factor of 10 is a bound") {
    auto const alpha = linear_parameter({"alpha", "s"}, 1.15, 0.434, 10); // [0.184, 2.117]
    CHECK(alpha.status == parameter_status::upper_bound);
    CHECK((alpha.low == 0 && alpha.value == alpha.high));
    auto const r_inf = reciprocal_parameter({"r_inf", "B/s"}, 0.326, 0.1345, 10); // 1 / [0.026, 0.626]
    CHECK(r_inf.status == parameter_status::lower_bound);
    CHECK((r_inf.high == unlimited && r_inf.value == r_inf.low));
    CHECK(linear_parameter({"alpha", "s"}, 1.15, 0.4, 10).status == parameter_status::determined); // [0.26, 2.04]
}

TEST_CASE("a ratio with so wide an interval is bounded by its more precise parameter") {
    auto const ratio = [](double first, double second) {
        least_squares_result e;
        e.values = Eigen::Vector2d{1, 1};
        e.covariance = Eigen::Vector2d{first * first, second * second}.asDiagonal();
        e.degrees_of_freedom = 10;
        e.full_rank = true;
        return ratio_parameter({"n_half", "B"}, e, 0, 1);
    };
    CHECK(ratio(0.01, 0.01).status == parameter_status::determined);
    CHECK(ratio(0.4, 0.01).status == parameter_status::upper_bound);
    CHECK(ratio(0.01, 0.4).status == parameter_status::lower_bound);
}
