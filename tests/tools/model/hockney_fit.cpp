// SPDX-License-Identifier: BSL-1.0
#include "tools/model/regression/hockney_fit.hpp"
#include "../../relative_difference.hpp"
#include "hockney_data.hpp"
#include "tools/model/regression/segmented_regression.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

using namespace hockney_data;
using namespace sonde::model;
using namespace tools::regression;
using sonde::seconds;
using tools::regression::regression_point;
using tools::regression::segment_costs;

namespace {

void check_exact(piecewise_hockney const& truth, std::vector<double> const& sizes) {
    auto const found = fit(measured(truth, sizes));
    REQUIRE(found.model.segments.size() == truth.segments.size());
    CHECK(found.determined());
    CHECK(found.residual_rms < 1e-9);
    for (std::size_t k = 0; k != truth.segments.size(); ++k) {
        auto const& right = truth.segments[k];
        CHECK(found.model.segments[k].from == right.from);
        CHECK(relative_difference(found("alpha", k).value, right.model.alpha.count()) < 1e-6);
        CHECK(relative_difference(found("r_inf", k).value, right.model.r_inf.count()) < 1e-6);
        CHECK(relative_difference(found("n_half", k).value, right.model.n_half().count()) < 1e-6);
        CHECK(relative_difference(found.model.segments[k].model.alpha.count(), right.model.alpha.count()) < 1e-6);
        CHECK(relative_difference(found.model.segments[k].model.r_inf.count(), right.model.r_inf.count()) < 1e-6);
        if (k != 0) CHECK(found("breakpoint", k).value == right.from.count());
    }
}

} // namespace

TEST_CASE("without noise every parameter comes back, and every breakpoint is at its size") {
    for (int const of_an_octave : {1, 2, 5}) {
        check_exact(one_protocol, exponents(0, 22, of_an_octave));
        check_exact(eager_rendezvous, exponents(0, 22, of_an_octave));
        check_exact(three_protocols, exponents(0, 22, of_an_octave));
    }
}

TEST_CASE("the order of points does not matter, and several points of a size stay together") {
    auto points = measured(eager_rendezvous, exponents(0, 22, 1));
    auto const once = points;
    points.insert(points.end(), once.begin(), once.end());
    std::reverse(points.begin(), points.end());
    auto const found = fit(points);
    CHECK(found.points == 46);
    CHECK(found.model.segments.size() == 2);
    CHECK(found("breakpoint", 1).value == 16384);
    CHECK(found.from.count() == 1);
    CHECK(found.to.count() == 1 << 22);
}

TEST_CASE("a breakpoint lies between the last size of its predecessor and the first size of its own segment") {
    auto const found = fit(measured(eager_rendezvous, exponents(0, 22, 1)));
    CHECK(found("breakpoint", 1).low == 8192);
    CHECK(found("breakpoint", 1).high == 16384);
}

TEST_CASE("rms is of relative residuals over the degrees of freedom, and equals the noise") {
    noise errors{0.02};
    auto const found = fit(measured(eager_rendezvous, exponents(0, 22, 20), errors));
    CHECK(found.residual_rms > 0.018);
    CHECK(found.residual_rms < 0.022);
}

TEST_CASE("the time of size 0 is a point of the first segment, and is reported beside alpha") {
    auto points = measured(one_protocol, exponents(0, 22, 1));
    CHECK(fit(points).note.empty());
    points.push_back({0, seconds{1.25e-6}});
    auto const found = fit(points);
    CHECK(found.note == "T(0) was measured: 1.25 us");
    CHECK(found("alpha").value > 1.25e-6);
    CHECK(found("alpha").value < 1.5e-6);
    CHECK(found.from.count() == 0);
    CHECK(found.points == 24);
}

namespace {

segment_costs costs_of(std::vector<double> const& x, std::vector<double> const& y) {
    std::vector<regression_point> points;
    for (std::size_t i = 0; i != x.size(); ++i) points.push_back({x[i], y[i]});
    return segment_costs{points};
}

} // namespace

TEST_CASE("a segment's cost is the sum of squared relative residuals, and 0 for exact points") {
    auto const costs = costs_of({1, 2, 3, 4, 5}, {1e-6, 2e-6, 3e-6, 4e-6, 10e-6});
    CHECK(costs(0, 4) < 1e-20);
    CHECK(costs(0, 5) > 0.01);
}

TEST_CASE("points of equal x are one position, whose cost is that of all of them") {
    auto const once = costs_of({1, 2, 3, 4}, {1, 2.1, 3, 4}), twice = costs_of({1, 2, 2, 3, 4}, {1, 2.1, 2.1, 3, 4});
    CHECK(twice.size() == 4);
    CHECK(twice.points(0, 2).size() == 3);
    CHECK(twice(0, 4) > 1.1 * once(0, 4));
    auto const spread =
        costs_of({1, 1, 2, 2}, {0.5, 1, 2, 2});   // 1 / 1.5 is optimal here: 1 / 9 + 4 / 9 without weights
    CHECK(std::fabs(spread(0, 2) - 0.2) < 1e-12); // 0.6 / 0.5 - 1 and 0.6 / 1 - 1
}

TEST_CASE("a segment has at least 4 points if there are more, and at least two positions") {
    auto const costs = costs_of({1, 2, 3, 3, 3, 3, 4}, {1, 2, 3, 3, 3, 3, 4});
    CHECK(costs(0, 2) == sonde::model::unlimited);
    CHECK(costs(2, 3) == sonde::model::unlimited);
    CHECK(costs(0, 3) < 1e-20);
    CHECK(costs(2, 4) < 1e-20);
    CHECK(costs_of({1, 2, 3}, {1, 2, 3})(0, 3) < 1e-20);
}
