// SPDX-License-Identifier: BSL-1.0
#include "tools/model/regression/max_rate_fit.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::max_rate;
using sonde::model::multi_ping_pong;
using tools::fit_error;
using tools::regression::fit;

namespace {
constexpr auto none = std::numeric_limits<double>::quiet_NaN();
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
    for (auto const time : {0.0, none, infinite})
        CHECK(!refused_with(tools::model_point<multi_ping_pong>{4096, 10, seconds{time}}).empty());
    for (auto const n : {0.0, -1.0, none, infinite})
        CHECK(!refused_with(tools::model_point<multi_ping_pong>{4096, n, seconds{1}}).empty());
    for (auto const x : {-1.0, none, infinite})
        CHECK(!refused_with(tools::model_point<multi_ping_pong>{bytes{x}, 10, seconds{1}}).empty());
}

TEST_CASE("an invalid point of the max-rate model is refused with its values") {
    CHECK(refused_with(tools::model_point<max_rate>{4096, 2, seconds{0}}) ==
          "max-rate: invalid point: 4096 B, 2 pairs, 0 s");
    CHECK(refused_with(tools::model_point<max_rate>{bytes{-1.0}, 2, seconds{1}}) ==
          "max-rate: invalid point: -1 B, 2 pairs, 1 s");
    for (auto const time : {-1.0, none, infinite})
        CHECK(!refused_with(tools::model_point<max_rate>{4096, 2, seconds{time}}).empty());
    for (auto const k : {0.0, 0.5, -1.0, none, infinite})
        CHECK(!refused_with(tools::model_point<max_rate>{4096, k, seconds{1}}).empty());
    for (auto const x : {none, infinite})
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
