// SPDX-License-Identifier: BSL-1.0
#include "../../relative_difference.hpp"
#include "fit_data.hpp"

#include "tools/model/regression/max_rate_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::max_rate;
using sonde::model::rate;
using tools::regression::fit;
using tools::regression::fit_result;
using tools::regression::parameter_status;

namespace {
auto const sizes = octaves(1, 1 << 22, 1);

max_rate saturated_by(double pairs) { return {seconds{1.5e-6}, rate{4e9}, rate{pairs * 4e9}}; }

void check_is(fit_result<max_rate> const& found, max_rate const& m) {
    CHECK(found.determined());
    CHECK(relative_difference(found("alpha").value, m.alpha.count()) < 1e-6);
    CHECK(relative_difference(found("R_C").value, m.process_rate.count()) < 1e-6);
    CHECK(relative_difference(found("R_N").value, m.node_rate.count()) < 1e-6);
    CHECK(relative_difference(found("k_sat").value, m.saturation()) < 1e-6);
    CHECK(relative_difference(found.model.alpha.count(), m.alpha.count()) < 1e-6);
    CHECK(relative_difference(found.model.process_rate.count(), m.process_rate.count()) < 1e-6);
    CHECK(relative_difference(found.model.node_rate.count(), m.node_rate.count()) < 1e-6);
    CHECK(found.residual_rms < 1e-9);
    CHECK(found.note.empty());
}
} // namespace

TEST_CASE("without noise, latency, both rates and the saturation come back to 1e-6, at every saturation") {
    for (auto const pairs : {1.2, 2.0, 5.5, 6.0, 15.5})
        check_is(fit(points_of(saturated_by(pairs), sizes, 16)), saturated_by(pairs));
}

TEST_CASE("a max-rate fit reports its points and sizes, whatever the order of the points") {
    auto points = points_of(saturated_by(5.5), sizes, 16);
    std::reverse(points.begin(), points.end());
    auto const found = fit(points);
    check_is(found, saturated_by(5.5));
    CHECK(found.points == 16 * 23);
    CHECK(found.from == bytes{1});
    CHECK(found.to == bytes{1 << 22});
    CHECK(found.condition_number < 10);
}

TEST_CASE("data without a saturated node make R_N a bound, with noise or without") {
    auto const points = points_of(saturated_by(100), sizes, 16);
    noise errors{0.02};
    for (auto const& found : {fit(points), fit(measured(points, errors))}) {
        CHECK(found("R_N").status == parameter_status::lower_bound);
        CHECK(found("R_N").value == found("R_N").low);
        CHECK(found("R_N").value < 1.01 * 16 * 4e9);
        CHECK(found("R_N").value > 0.95 * 16 * 4e9);
        CHECK(found("k_sat").status == parameter_status::lower_bound);
        CHECK(found("k_sat").value <= 16);
        CHECK(found("R_C").status == parameter_status::determined);
        CHECK(std::fabs(found("R_C").value / 4e9 - 1) < 0.01);
        CHECK(found("alpha").status == parameter_status::determined);
    }
}

TEST_CASE("data in which one process saturates the node make R_C a bound, with noise or without") {
    auto const points = points_of(saturated_by(0.75), sizes, 16);
    noise errors{0.02};
    for (auto const& found : {fit(points), fit(measured(points, errors))}) {
        CHECK(found("R_C").status == parameter_status::lower_bound);
        CHECK(found("R_C").value < 1.01 * 3e9);
        CHECK(found("R_C").value > 0.95 * 3e9);
        CHECK(found("k_sat").status == parameter_status::upper_bound);
        CHECK(found("k_sat").value < 1.05);
        CHECK(found("R_N").status == parameter_status::determined);
        CHECK(std::fabs(found("R_N").value / 3e9 - 1) < 0.01);
        CHECK(std::isfinite(found.model.process_rate.count()));
    }
}

TEST_CASE("a single number of pairs does not separate the limits: both rates are bounds") {
    noise errors{0.02};
    auto const points = points_of(saturated_by(5.5), sizes, 4, 4);
    for (auto const& found : {fit(points), fit(measured(points, errors))}) {
        CHECK(found("R_C").status == parameter_status::lower_bound);
        CHECK(std::fabs(found("R_C").value / 4e9 - 1) < 0.03);
        CHECK(found("R_N").status == parameter_status::lower_bound);
        CHECK(std::fabs(found("R_N").value / 16e9 - 1) < 0.03);
        CHECK(found("k_sat").status == parameter_status::undetermined);
        CHECK(found("alpha").status == parameter_status::determined);
    }
}

TEST_CASE("times that hardly grow with the size, or fall, bound both rates, and determine latency alone") {
    auto timed = [](double zero, double one, double two) {
        std::vector<tools::model_point<max_rate>> points;
        for (auto const k : {1.0, 2.0}) {
            points.push_back({0, k, seconds{zero}});
            points.push_back({1, k, seconds{one}});
            points.push_back({2, k, seconds{two}});
        }
        return points;
    };
    for (auto const& points : {timed(1.02e-6, 1.01e-6, 1e-6), timed(1e-6, 1e-6, 1e-6), timed(1e-6, 1.02e-6, 0.99e-6)}) {
        auto const found = fit(points);
        CHECK(std::fabs(found("alpha").value / 1e-6 - 1) < 0.03);
        CHECK(found("alpha").status == parameter_status::determined);
        for (auto const* name : {"R_C", "R_N"}) {
            CHECK(found(name).status == parameter_status::lower_bound);
            CHECK(std::isfinite(found(name).value));
            CHECK(found(name).value > 0);
        }
        CHECK(found("k_sat").status == parameter_status::undetermined);
        CHECK(std::isfinite(found("k_sat").value));
        CHECK(std::fabs(found.model.time(2, 2).count() / 1e-6 - 1) < 0.03);
        CHECK(found.residual_rms < 0.02);
    }
}

TEST_CASE("times that do not follow a max-rate model determine nothing") {
    auto points = points_of(saturated_by(1.5), octaves(64, 1 << 20, 1), 2);
    for (std::size_t i = 0; i < points.size(); i += 2) points[i].time = 3 * points[i].time;
    auto const found = fit(points);
    for (auto const& p : found.parameters) CHECK(p.status == parameter_status::undetermined);
    CHECK(found.note == "the model does not describe these data");
}
