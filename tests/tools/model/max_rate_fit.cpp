// SPDX-License-Identifier: BSL-1.0
#include "tools/model/regression/max_rate_fit.hpp"
#include "../../relative_difference.hpp"
#include "fit_data.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::max_rate;
using sonde::model::multi_ping_pong;
using sonde::model::rate;
using tools::fit_error;
using tools::regression::fit;
using tools::regression::fit_result;
using tools::regression::parameter_status;

namespace {
auto const all_sizes = octaves(1, 1 << 22, 1);

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
        check_is(fit(points_of(saturated_by(pairs), all_sizes, 16)), saturated_by(pairs));
}

TEST_CASE("a max-rate fit reports its points and sizes, whatever the order of the points") {
    auto points = points_of(saturated_by(5.5), all_sizes, 16);
    std::reverse(points.begin(), points.end());
    auto const found = fit(points);
    check_is(found, saturated_by(5.5));
    CHECK(found.points == 16 * 23);
    CHECK(found.from == bytes{1});
    CHECK(found.to == bytes{1 << 22});
    CHECK(found.condition_number < 10);
}

TEST_CASE("data without a saturated node make R_N a bound, with noise or without") {
    auto const points = points_of(saturated_by(100), all_sizes, 16);
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
    auto const points = points_of(saturated_by(0.75), all_sizes, 16);
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
    auto const points = points_of(saturated_by(5.5), all_sizes, 4, 4);
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

namespace {
constexpr auto not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr auto infinite = std::numeric_limits<double>::infinity();

/// The text of the refusal of a fit; empty if it is accepted.
template <class Point>
std::string refused(std::vector<Point> const& points) try {
    static_cast<void>(fit(points));
    return "";
} catch (fit_error const& why) {
    return why.what();
}

/// The text of the refusal of valid points with this one added.
std::string refused_with(tools::model_point<multi_ping_pong> bad) {
    std::vector<tools::model_point<multi_ping_pong>> points;
    for (auto x : {65536, 131072, 262144, 524288, 1048576}) points.push_back({x, 10, seconds{1e-9 * x}});
    REQUIRE(refused(points).empty());
    points.insert(points.begin() + 2, bad);
    return refused(points);
}
std::string refused_with(tools::model_point<max_rate> bad) {
    std::vector<tools::model_point<max_rate>> points;
    for (auto x : {1024, 65536, 1048576})
        for (auto k : {1, 2}) points.push_back({x, double(k), seconds{1e-6 + 1e-9 * x}});
    REQUIRE(refused(points).empty());
    points.insert(points.begin() + 2, bad);
    return refused(points);
}
} // namespace

TEST_CASE("an invalid point of the multi-mode model is refused with its values") {
    CHECK(refused_with(tools::model_point<multi_ping_pong>{4096, 10, seconds{-1}}) ==
          "multi-mode ping-pong: invalid point: 4096 B, 10 repetitions, -1 s");
    CHECK(refused_with(tools::model_point<multi_ping_pong>{4096, 0.5, seconds{1}}) ==
          "multi-mode ping-pong: invalid point: 4096 B, 0.5 repetitions, 1 s");
    for (auto const time : {0.0, not_a_number, infinite})
        CHECK(!refused_with(tools::model_point<multi_ping_pong>{4096, 10, seconds{time}}).empty());
    for (auto const n : {0.0, -1.0, not_a_number, infinite})
        CHECK(!refused_with(tools::model_point<multi_ping_pong>{4096, n, seconds{1}}).empty());
    for (auto const x : {-1.0, not_a_number, infinite})
        CHECK(!refused_with(tools::model_point<multi_ping_pong>{bytes{x}, 10, seconds{1}}).empty());
}

TEST_CASE("an invalid point of the max-rate model is refused with its values") {
    CHECK(refused_with(tools::model_point<max_rate>{4096, 2, seconds{0}}) ==
          "max-rate: invalid point: 4096 B, 2 pairs, 0 s");
    CHECK(refused_with(tools::model_point<max_rate>{bytes{-1.0}, 2, seconds{1}}) ==
          "max-rate: invalid point: -1 B, 2 pairs, 1 s");
    for (auto const time : {-1.0, not_a_number, infinite})
        CHECK(!refused_with(tools::model_point<max_rate>{4096, 2, seconds{time}}).empty());
    for (auto const k : {0.0, 0.5, -1.0, not_a_number, infinite})
        CHECK(!refused_with(tools::model_point<max_rate>{4096, k, seconds{1}}).empty());
    for (auto const x : {not_a_number, infinite})
        CHECK(!refused_with(tools::model_point<max_rate>{bytes{x}, 2, seconds{1}}).empty());
}

TEST_CASE("fits of too few points or sizes are refused with their number") {
    tools::model_point<multi_ping_pong> const small{65536, 10, seconds{1e-3}}, large{131072, 10, seconds{2e-3}};
    CHECK(refused(std::vector<tools::model_point<multi_ping_pong>>{}) ==
          "multi-mode ping-pong: three parameters need four points, of three sizes, at least; there are 0, of 0");
    CHECK(refused(std::vector{small, small, large, large, large}) ==
          "multi-mode ping-pong: three parameters need four points, of three sizes, at least; there are 5, of 2");
    tools::model_point<max_rate> const one{4096, 1, seconds{1e-6}}, two{4096, 2, seconds{1e-6}};
    CHECK(refused(std::vector{one, two, one}) == "max-rate: three parameters need four points at least; there are 3");
    CHECK(refused(std::vector{one, two, one, two}) ==
          "max-rate: latency and rates need two sizes at least; all points are of 4096 B");
}
