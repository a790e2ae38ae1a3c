// SPDX-License-Identifier: BSL-1.0
#include "noise.hpp"
#include "support.hpp"

#include <sonde/model/fit/least_squares.hpp>
#include <sonde/model/fit/levenberg_marquardt.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace sonde::model;

namespace {

/// T = a + x^b / c, of 20 sizes: in no parameter but a linear.
Eigen::VectorXd power_law(Eigen::VectorXd const& p) {
    Eigen::VectorXd times(20);
    for (int i = 0; i != 20; ++i) times(i) = p(0) + std::pow(std::pow(2, i), p(1)) / p(2);
    return times;
}

} // namespace

TEST_CASE("a model that is not linear comes back from a start that is wrong by factors") {
    Eigen::Vector3d const truth{2e-6, 0.9, 1e9};
    auto const fit = fit_logarithms(power_law, power_law(truth), Eigen::Vector3d{1e-5, 0.5, 1e8});
    for (int i = 0; i != 3; ++i) CHECK(apart(fit.values(i), truth(i)) < 1e-9);
    CHECK(fit.freedom == 17);
}

TEST_CASE("of a linear model, logarithms find the same parameters and deviations as the linear fit") {
    Eigen::MatrixXd rows(40, 2);
    Eigen::VectorXd measured(40);
    noise noisy{1e-3};
    for (int i = 0; i != 40; ++i) {
        rows.row(i) << 1, std::pow(2, 0.5 * i);
        measured(i) = noisy(2e-6 + rows(i, 1) / 1e10);
    }
    auto const linear = least_squares(rows, measured);
    auto const model = [&](Eigen::VectorXd const& p) -> Eigen::VectorXd { return rows * p; };
    auto const by_logarithms = fit_logarithms(model, measured, Eigen::Vector2d{1e-5, 1e-9});
    for (int i = 0; i != 2; ++i) {
        CHECK(apart(by_logarithms.values(i), linear.values(i)) < 1e-6);
        CHECK(apart(by_logarithms.deviation(i), linear.deviation(i)) < 1e-2);
    }
    CHECK(apart(by_logarithms.condition(), linear.condition()) < 1e-3);
}

TEST_CASE("a parameter that the model does not use is not determined, and the others are found all the same") {
    auto const model = [](Eigen::VectorXd const& p) { return power_law(Eigen::Vector3d{p(0), 1, p(1)}); };
    auto const fit = fit_logarithms(model, model(Eigen::Vector3d{2e-6, 1e9, 5}), Eigen::Vector3d{1e-6, 1e8, 7});
    CHECK(apart(fit.values(0), 2e-6) < 1e-6);
    CHECK(apart(fit.values(1), 1e9) < 1e-6);
    CHECK_FALSE(fit.full_rank);
}
