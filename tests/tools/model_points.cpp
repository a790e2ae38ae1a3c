// SPDX-License-Identifier: BSL-1.0
#include "tools/records/model_points.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace sonde::model;
using sonde::record;
using sonde::seconds;
using tools::fit_error;
using tools::points_of;

namespace {

/// Ping-pongs of `pairs` simultaneous pairs with medians of 4, 5 and 60 us.
record ping_pongs(std::size_t size, int pairs) {
    record r;
    r.point = {"ping_pong", {{"bytes", size}, {"link", "ssend"}}};
    r.initiators = pairs;
    auto const n = static_cast<std::size_t>(pairs);
    r.total = {2 * size * n, 2 * n, 2};
    r.series = {seconds{60e-6}, seconds{4e-6}, seconds{5e-6}};
    return r;
}

record timed(double time) {
    auto r = ping_pongs(8, 1);
    r.series = {seconds{time}};
    return r;
}

template <class Model>
std::string refusal(record const& r) {
    try {
        (void)points_of<Model>({ping_pongs(1024, r.initiators), r});
    } catch (fit_error const& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST_CASE("half of the median round trip of one pair is a point of Hockney's model, size 0 included") {
    auto const points = points_of<hockney>({ping_pongs(0, 1), ping_pongs(1024, 1)});
    REQUIRE(points.size() == 2);
    CHECK(points[0].size.count() == 0);
    CHECK(points[1].size.count() == 1024);
    CHECK(points[1].time == seconds{5e-6} / 2);
}

TEST_CASE("a sample of two pairs is a point of the multi-mode model: the time of all its repetitions") {
    auto r = ping_pongs(1024, 2);
    r.batch = 40;
    auto const p = points_of<multi_ping_pong>({r}).at(0);
    CHECK(p.size.count() == 1024);
    CHECK(p.repetitions == 40);
    CHECK(p.time == seconds{5e-6} * 40.0);
}

TEST_CASE("half of a round trip of k pairs is a point of the max-rate model, for any k") {
    for (int const k : {1, 3}) {
        auto const p = points_of<max_rate>({ping_pongs(1024, k)}).at(0);
        CHECK(p.size.count() == 1024);
        CHECK(p.pairs == k);
        CHECK(p.time == seconds{5e-6} / 2);
    }
}

TEST_CASE("a window of messages of k pairs is a point of the max-rate model: its bytes and its whole time") {
    auto r = ping_pongs(1024, 3);
    r.total = {3 * 64 * 1024, 3 * 64, 1};
    auto const p = points_of<max_rate>({r}).at(0);
    CHECK(p.size.count() == 64 * 1024);
    CHECK(p.time == seconds{5e-6});
}

TEST_CASE("a record with an invalid time is refused by its name") {
    CHECK(refusal<hockney>(timed(0)) == "ping_pong, bytes 8, link ssend: a time of 0 s");
    CHECK(refusal<hockney>(timed(-1e-6)) == "ping_pong, bytes 8, link ssend: a time of -1e-06 s");
    for (double const none : {double{INFINITY}, std::numeric_limits<double>::quiet_NaN()})
        CHECK(refusal<max_rate>(timed(none)) == "ping_pong, bytes 8, link ssend: a time that is not finite");
    auto r = ping_pongs(8, 2);
    r.series.clear();
    CHECK(refusal<multi_ping_pong>(r) == "ping_pong, bytes 8, link ssend: no samples");
}

TEST_CASE("a record of another measurement is refused by its name") {
    auto r = ping_pongs(8, 1);
    r.total.hops = 1;
    CHECK(refusal<hockney>(r) == "ping_pong, bytes 8, link ssend: not a ping-pong");
    r = ping_pongs(8, 1);
    r.total.messages = 64;
    CHECK(refusal<hockney>(r) == "ping_pong, bytes 8, link ssend: not a ping-pong");
    r.total = {};
    CHECK(refusal<max_rate>(r) == "ping_pong, bytes 8, link ssend: no messages");
    r.initiators = 0;
    CHECK_THROWS_WITH_AS(points_of<max_rate>({r}), "ping_pong, bytes 8, link ssend: no initiator", fit_error);
    r = ping_pongs(8, 1);
    r.total.hops = 1e-310;
    CHECK(refusal<max_rate>(r) == "ping_pong, bytes 8, link ssend: a size of inf B");
}

TEST_CASE("a number of pairs other than the model's is refused") {
    CHECK_THROWS_WITH_AS(points_of<hockney>({ping_pongs(8, 2)}),
                         "ping_pong, bytes 8, link ssend: concurrent pairs: 2, the model has 1", fit_error);
    CHECK_THROWS_WITH_AS(points_of<multi_ping_pong>({ping_pongs(8, 1)}),
                         "ping_pong, bytes 8, link ssend: concurrent pairs: 1, the model has 2", fit_error);
}

TEST_CASE("in a record in which all ranks count, two ranks are a pair") {
    auto r = ping_pongs(1024, 1);
    r.ranks = r.initiators = 2;
    CHECK(points_of<hockney>({r}).at(0).size.count() == 1024);
    CHECK(points_of<max_rate>({r}).at(0).pairs == 1);
    r.ranks = 4; // two initiators, and the messages of one
    CHECK_THROWS_WITH_AS(points_of<hockney>({r}), "ping_pong, bytes 1024, link ssend: not a ping-pong", fit_error);
}

TEST_CASE("two pairs that send empty messages are refused: they share no link") {
    CHECK_THROWS_WITH_AS(points_of<multi_ping_pong>({ping_pongs(0, 2)}),
                         "ping_pong, bytes 0, link ssend: messages of 0 bytes share no link", fit_error);
}
