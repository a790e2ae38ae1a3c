// SPDX-License-Identifier: BSL-1.0
#include "../../relative_difference.hpp"
#include "hockney_data.hpp"

#include "tools/model/regression/hockney_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace hockney_data;
using namespace sonde::model;
using namespace tools::regression;
using sonde::seconds;

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

TEST_CASE("a weak breakpoint has an interval that contains all sizes that fit equally well") {
    piecewise_hockney const kink{{{1, {seconds{1e-6}, rate{3e9}}}, {16384, {seconds{4.97e-6}, rate{11e9}}}}};
    noise errors{0.02};
    auto const found = fit(measured(kink, exponents(0, 22, 4), errors));
    REQUIRE(found.model.segments.size() == 2);
    CHECK(found("breakpoint", 1).low < 16384);
    CHECK(found("breakpoint", 1).high >= 19483); // the size after: 16384 B may be of either segment
    CHECK(found("breakpoint", 1).low > 2048);
    CHECK(found("breakpoint", 1).high < 131072);
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
