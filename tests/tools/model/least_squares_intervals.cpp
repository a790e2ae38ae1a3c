// SPDX-License-Identifier: BSL-1.0
#include "../../relative_difference.hpp"

#include "tools/model/regression/least_squares.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace sonde::model;
using namespace tools::regression;

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
