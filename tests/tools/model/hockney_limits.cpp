// SPDX-License-Identifier: BSL-1.0
#include "../../relative_difference.hpp"
#include "hockney_data.hpp"

#include "tools/model/regression/hockney_fit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace hockney_data;
using namespace sonde::model;
using namespace tools::regression;
using sonde::seconds;
using tools::fit_error;

namespace {

using points = std::vector<tools::model_point<hockney>>;

std::string refusal(points const& p) {
    try {
        static_cast<void>(fit(p));
    } catch (fit_error const& e) {
        return e.what();
    }
    return "";
}

/// Three valid points, and this one.
points with(double size, double time) {
    auto all = measured(one_protocol, exponents(0, 2, 1));
    all.push_back({bytes{size}, seconds{time}});
    return all;
}

} // namespace

TEST_CASE("long messages alone do not determine alpha: it has an upper bound, and n_half no lower one") {
    noise errors{0.02};
    auto const found = fit(measured(one_protocol, exponents(20, 24, 2), errors)); // 1.5 us in 106 us, and more
    REQUIRE(found.model.segments.size() == 1);
    CHECK(found("alpha").status == parameter_status::upper_bound);
    CHECK(found("alpha").low == 0);
    CHECK(found("alpha").high > 1.5e-6);
    CHECK(found("n_half").status == parameter_status::upper_bound);
    CHECK(found("n_half").high > 15000);
    CHECK(found("r_inf").status == parameter_status::determined);
    CHECK_FALSE(found.determined());
    CHECK(found.condition_number > 100);
}

TEST_CASE("tiny messages alone do not determine r_inf: it has a lower bound, and so has n_half") {
    noise errors{0.02};
    auto const found = fit(measured(one_protocol, exponents(0, 5, 2), errors)); // 3 ns in 1.5 us, at most
    REQUIRE(found.model.segments.size() == 1);
    CHECK(found("r_inf").status == parameter_status::lower_bound);
    CHECK(found("r_inf").low < 10e9);
    CHECK(found("r_inf").high == sonde::model::unlimited);
    CHECK(found("n_half").status == parameter_status::lower_bound);
    CHECK(found("n_half").low < 15000);
    CHECK(found("alpha").status == parameter_status::determined);
}

TEST_CASE("times that fall with the size leave r_inf undetermined, and the model does not fall") {
    auto const found =
        fit(points{{1000, seconds{4e-6}}, {2000, seconds{3.1e-6}}, {3000, seconds{2e-6}}, {4000, seconds{1.05e-6}}});
    CHECK(found("r_inf").status == parameter_status::undetermined);
    CHECK(found("n_half").status == parameter_status::undetermined);
    CHECK(found.model.time(bytes{1e9}) >= found.model.time(1000));
    CHECK(found.model.time(1000).count() > 0);
}

TEST_CASE("a line with a negative intercept leaves alpha undetermined, and alpha is 0 in the model") {
    auto const found =
        fit(points{{1000, seconds{1e-6}}, {2000, seconds{3e-6}}, {3000, seconds{5e-6}}, {4000, seconds{7e-6}}});
    CHECK(found("alpha").status == parameter_status::undetermined);
    CHECK(found.model.time(0).count() == 0);
    CHECK(found.model.time(2000).count() > 0);
}

TEST_CASE("a line clamped to alpha >= 0 reports the parameters that its model has") {
    noise errors{0.02, 3};
    int below = 0;
    for (int i = 0; i != 40; ++i) {
        auto const found = fit(measured(one_protocol, exponents(20, 24, 2), errors)); // 1.5 us in 106 us, and more
        CHECK(found("n_half").value >= 0);
        CHECK(found("alpha").value >= 0);
        if (found.model.segments[0].model.alpha.count() > 0) continue;
        ++below;
        auto const& r_inf = found("r_inf");
        CHECK(r_inf.value == found.model.segments[0].model.r_inf.count());
        CHECK((r_inf.low <= r_inf.value && r_inf.value <= r_inf.high));
    }
    CHECK(below > 5);
}

TEST_CASE("equal times with rounding give no exact r_inf or alpha") {
    auto const found = fit(points{{1, seconds{2e-6}, seconds{5e-9}},
                                  {2, seconds{2e-6}, seconds{5e-9}},
                                  {4, seconds{2e-6}, seconds{5e-9}}}); // "2.00 us"
    CHECK(found("r_inf").low < 1e9);
    CHECK(found("alpha").high > 2.005e-6);
    CHECK(found("alpha").low < 1.995e-6);
}

TEST_CASE("ten thousand points of a hundred sizes are fitted; more than two thousand sizes are refused") {
    std::vector<double> sizes, many;
    for (int i = 0; i != 10000; ++i) sizes.push_back(64.0 * (i % 100));
    CHECK(fit(measured(one_protocol, sizes)).points == 10000);
    for (int i = 0; i != 2001; ++i) many.push_back(i);
    CHECK(refusal(measured(one_protocol, many)) == "Hockney's model: 2001 sizes; at most 2000");
}

TEST_CASE("invalid data are refused in one line") {
    CHECK(refusal({}) == "Hockney's model: 0 points; a line and its error need 3");
    CHECK(refusal(measured(one_protocol, {1, 2})) == "Hockney's model: 2 points; a line and its error need 3");
    CHECK(refusal(measured(one_protocol, {64, 64, 64})) ==
          "Hockney's model: all points are of 64 B; a line needs two sizes");
    CHECK(refusal(with(8, 0)) == "Hockney's model: invalid point: 8 B, 0 s");
    CHECK(refusal(with(8, -1e-6)) == "Hockney's model: invalid point: 8 B, -1e-06 s");
    CHECK(refusal(with(-8, 1e-6)) == "Hockney's model: invalid point: -8 B, 1e-06 s");
    for (double const none : {double{INFINITY}, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK(refusal(with(8, none)).find("Hockney's model: invalid point: 8 B, ") == 0);
        CHECK(refusal(with(none, 1e-6)).find("Hockney's model: invalid point: ") == 0);
    }
    CHECK(refusal(with(8, 1.5e-6)).empty());
    auto all = measured(one_protocol, {1, 2, 4});
    all[0].resolution = seconds{-1e-9};
    CHECK(refusal(all) == "Hockney's model: a resolution of -1e-09 s");
}

TEST_CASE("a segment with a poor fit determines only its breakpoint, and leaves the other segment determined") {
    auto far_apart = eager_rendezvous;
    far_apart.segments[1].model.alpha = seconds{60e-6};
    auto all = measured(far_apart, exponents(0, 17, 4));
    for (std::size_t i = 0; i != all.size(); ++i)
        if (all[i].size >= bytes{16384}) all[i].time *= i % 2 == 0 ? 0.75 : 1.25;
    auto const found = fit(all);
    REQUIRE(found.model.segments.size() == 2);
    CHECK(found("alpha", 0).status == parameter_status::determined);
    CHECK(found("breakpoint", 1).status == parameter_status::determined);
    for (auto const* name : {"alpha", "r_inf", "n_half"})
        CHECK(found(name, 1).status == parameter_status::undetermined);
    CHECK(found.note.find("on the model does not describe these data: residuals of") != std::string::npos);
    CHECK(!found.determined());
}
