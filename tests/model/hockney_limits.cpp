// SPDX-License-Identifier: BSL-1.0
#include "hockney_data.hpp"

#include <sonde/model/fit/hockney.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace hockney_data;
using namespace sonde::model;
using sonde::seconds;

namespace {

using points = std::vector<hockney::point>;

std::string refusal(points const& p) {
    try {
        fit(p);
    } catch (cannot_fit const& e) {
        return e.what();
    }
    return "";
}

/// Three good points, and this one.
points with(double size, double time) {
    auto all = measured(one_protocol, exponents(0, 2, 1));
    all.push_back({bytes{size}, seconds{time}});
    return all;
}

} // namespace

TEST_CASE("long messages alone do not tell alpha: an upper bound, and no lower one of n_half") {
    noise errors{0.02};
    auto const found = fit(measured(one_protocol, exponents(20, 24, 2), errors)); // 1.5 us in 106 us, and more
    REQUIRE(found.model.segments.size() == 1);
    CHECK(found("alpha").stands == standing::upper_bound);
    CHECK(found("alpha").low == 0);
    CHECK(found("alpha").high > 1.5e-6);
    CHECK(found("n_half").stands == standing::upper_bound);
    CHECK(found("n_half").high > 15000);
    CHECK(found("r_inf").stands == standing::determined);
    CHECK_FALSE(found.determined());
    CHECK(found.condition > 100);
}

TEST_CASE("tiny messages alone do not tell r_inf: a lower bound, and one of n_half") {
    noise errors{0.02};
    auto const found = fit(measured(one_protocol, exponents(0, 5, 2), errors)); // 3 ns in 1.5 us, at most
    REQUIRE(found.model.segments.size() == 1);
    CHECK(found("r_inf").stands == standing::lower_bound);
    CHECK(found("r_inf").low < 10e9);
    CHECK(std::isinf(found("r_inf").high));
    CHECK(found("n_half").stands == standing::lower_bound);
    CHECK(found("n_half").low < 15000);
    CHECK(found("alpha").stands == standing::determined);
}

TEST_CASE("where larger messages take less time there is no r_inf, and the model does not fall") {
    auto const found =
        fit(points{{1000, seconds{4e-6}}, {2000, seconds{3.1e-6}}, {3000, seconds{2e-6}}, {4000, seconds{1.05e-6}}});
    CHECK(found("r_inf").stands == standing::undetermined);
    CHECK(found("n_half").stands == standing::undetermined);
    CHECK(found.model.time(bytes{1e9}) >= found.model.time(1000));
    CHECK(found.model.time(1000).count() > 0);
}

TEST_CASE("where the line meets no byte in less than no time alpha is not determined, and is 0 in the model") {
    auto const found =
        fit(points{{1000, seconds{1e-6}}, {2000, seconds{3e-6}}, {3000, seconds{5e-6}}, {4000, seconds{7e-6}}});
    CHECK(found("alpha").stands == standing::undetermined);
    CHECK(found.model.time(0).count() == 0);
    CHECK(found.model.time(2000).count() > 0);
}

TEST_CASE("times without noise that are all the same give no r_inf, however exact they are") {
    auto const found = fit(points{{8, seconds{1e-6}}, {16, seconds{1e-6}}, {32, seconds{1e-6}}, {64, seconds{1e-6}}});
    CHECK(found("r_inf").stands != standing::determined);
    CHECK(found("alpha").stands == standing::determined);
}

TEST_CASE("data of which no line can be made are refused in a line") {
    CHECK(refusal({}) == "Hockney's model: 0 points; a line and its error need 3");
    CHECK(refusal(measured(one_protocol, {1, 2})) == "Hockney's model: 2 points; a line and its error need 3");
    CHECK(refusal(measured(one_protocol, {64, 64, 64})) ==
          "Hockney's model: all points are of 64 B; a line needs two sizes");
    CHECK(refusal(with(8, 0)) == "Hockney's model: a message of 8 B, in 0 s");
    CHECK(refusal(with(8, -1e-6)) == "Hockney's model: a message of 8 B, in -1e-06 s");
    CHECK(refusal(with(-8, 1e-6)) == "Hockney's model: a message of -8 B, in 1e-06 s");
    for (double const none : {double{INFINITY}, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK(refusal(with(8, none)).find("Hockney's model: a message of 8 B, in ") == 0);
        CHECK(refusal(with(none, 1e-6)).find("Hockney's model: a message of ") == 0);
    }
    CHECK(refusal(with(8, 1.5e-6)).empty());
}
