// SPDX-License-Identifier: BSL-1.0
#include "fit_data.hpp"
#include "support.hpp"

#include <sonde/model/fit/multi_ping_pong.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::cannot_fit;
using sonde::model::fit;
using sonde::model::fitted;
using sonde::model::latency_form;
using sonde::model::multi_ping_pong;
using sonde::model::rate;
using sonde::model::standing;

namespace {
constexpr auto both = {latency_form::published, latency_form::time_line};

multi_ping_pong truth(latency_form form, double chunk = 3e5) {
    return {bytes{chunk}, rate{1.4e9}, seconds{4e-6}, form};
}

void check_is(fitted<multi_ping_pong> const& found, multi_ping_pong const& m) {
    CHECK(found.determined());
    CHECK(apart(found("C").value, m.chunk.count()) < 1e-6);
    CHECK(apart(found("B_r").value, m.link.count()) < 1e-6);
    CHECK(apart(found("T_l").value, m.latency.count()) < 1e-6);
    CHECK(apart(found.model.chunk.count(), m.chunk.count()) < 1e-6);
    CHECK(apart(found.model.link.count(), m.link.count()) < 1e-6);
    CHECK(apart(found.model.latency.count(), m.latency.count()) < 1e-6);
    CHECK(found.model.form == m.form);
    CHECK(found.residual_rms < 1e-9);
}
} // namespace

TEST_CASE("without noise, C, B_r and T_l come back to 1e-6, wherever C lies among the sizes") {
    auto const sizes = octaves(1 << 15, 1 << 23, 4);
    for (auto const form : both)
        for (auto const chunk : {4e4, 3e5, 524288.0, 6e6}) {
            auto const m = truth(form, chunk);
            check_is(fit(points_of(m, sizes), form), m);
        }
}

TEST_CASE("a fit says what it was made of, whatever the order of the points") {
    auto points = points_of(truth(latency_form::time_line), octaves(1 << 15, 1 << 23, 4));
    std::reverse(points.begin(), points.end());
    auto const found = fit(points);
    check_is(found, truth(latency_form::time_line));
    CHECK(found.points == 33);
    CHECK(found.from == bytes{1 << 15});
    CHECK(found.to == bytes{1 << 23});
}

TEST_CASE("the repetitions are those of the points, not those of the Intel MPI Benchmarks") {
    for (auto const form : both) {
        auto points = points_of(truth(form), octaves(1 << 15, 1 << 23, 4));
        for (auto& p : points) {
            p.repetitions = 1 + std::floor(p.repetitions / 7);
            p.time = truth(form).time(p.size, p.repetitions);
        }
        check_is(fit(points, form), truth(form));
    }
}

TEST_CASE("the published form, fitted to data of (4'), gives the same C and B_r, and T_l smaller by 2n / (4n - 1)") {
    auto points = points_of(truth(latency_form::time_line), octaves(1 << 15, 1 << 23, 4));
    for (auto& p : points) { // one n, so that there is one factor
        p.repetitions = 10;
        p.time = truth(latency_form::time_line).time(p.size, 10);
    }
    auto published = truth(latency_form::published);
    published.latency = seconds{4e-6 * 20 / 39};
    check_is(fit(points, latency_form::published), published);
}

TEST_CASE("only the note of the published form says that its T_l is not a ping-pong's latency") {
    auto const sizes = octaves(1 << 15, 1 << 23, 4);
    auto const points = points_of(truth(latency_form::time_line), sizes);
    CHECK(fit(points, latency_form::published).note.find("T_l") == 0);
    CHECK(fit(points).note.empty());
}

TEST_CASE("the Jacobian's condition: about 15 or 30 with sizes on both sides of C, 7e5 with sizes above it only") {
    for (auto const form : both) {
        auto const many = form == latency_form::published ? 15.0 : 30.0;
        auto const found = fit(points_of(truth(form), octaves(1 << 15, 1 << 23, 4)), form);
        CHECK(std::fabs(found.condition / many - 1) < 0.2);
        auto const above = fit(points_of(truth(form), octaves(1 << 19, 1 << 23, 4)), form);
        CHECK(std::fabs(above.condition / 7e5 - 1) < 0.1);
    }
}

TEST_CASE("sizes above C only determine B_r, and neither C nor T_l, with noise or without") {
    for (auto const form : both) {
        auto const points = points_of(truth(form), octaves(1 << 19, 1 << 23, 4));
        noise errors{0.02};
        for (auto const& found : {fit(points, form), fit(measured(points, errors), form)}) {
            CHECK(found("C").stands == standing::undetermined);
            CHECK(found("T_l").stands == standing::undetermined);
            CHECK(found("B_r").stands == standing::determined);
            CHECK(found("B_r").low < 1.4e9 * 1.0001);
            CHECK(found("B_r").high > 1.4e9 * 0.9999);
            CHECK(!found.note.empty());
        }
    }
}

TEST_CASE("sizes below C only, without noise: C is a bound, and B_r and T_l are determined") {
    for (auto const form : both) {
        auto const found = fit(points_of(truth(form), octaves(1 << 10, 1 << 18, 4)), form);
        CHECK(found("C").stands == standing::lower_bound);
        CHECK(found("C").value > 0.99 * (1 << 18));
        CHECK(found("C").value < 3e5);
        CHECK(apart(found("B_r").value, 1.4e9) < 1e-6);
        CHECK(apart(found("T_l").value, 4e-6) < 1e-6);
        CHECK(found("T_l").stands == standing::determined);
    }
}

TEST_CASE("sizes below C only, with noise, could as well lie above it: B_r is no more than a bound") {
    noise errors{0.02};
    auto const found = fit(measured(points_of(truth(latency_form::time_line), octaves(1 << 15, 1 << 18, 4)), errors));
    CHECK(found("C").stands == standing::undetermined);
    CHECK(found("T_l").stands == standing::undetermined);
    CHECK(found("B_r").stands == standing::lower_bound);
    CHECK(found("B_r").value < 1.4e9);
    CHECK(found("B_r").value > 1.2e9);
}

TEST_CASE("pairs that never overlap determine neither C nor T_l") {
    multi_ping_pong const none{bytes{0}, rate{1.4e9}, seconds{4e-6}};
    noise errors{0.02};
    for (auto const& found : {fit(points_of(none, octaves(1 << 15, 1 << 23, 4))),
                              fit(measured(points_of(none, octaves(1 << 15, 1 << 23, 4)), errors))}) {
        CHECK(found("C").stands == standing::undetermined);
        CHECK(found("T_l").stands == standing::undetermined);
    }
}

TEST_CASE("a latency of zero is no more than a bound, and C and B_r are determined all the same") {
    auto m = truth(latency_form::time_line);
    m.latency = seconds{0};
    noise errors{0.02};
    for (int i = 0; i != 5; ++i) {
        auto const found = fit(measured(points_of(m, octaves(1 << 15, 1 << 23, 4)), errors));
        CHECK(found("T_l").stands == standing::upper_bound);
        CHECK(found("T_l").value < 3e-6);
        CHECK(found("T_l").value > 0);
        CHECK(found.model.latency.count() >= 0);
        CHECK(found("C").stands == standing::determined);
        CHECK(std::fabs(found("C").value / 3e5 - 1) < 0.08);
        CHECK(std::fabs(found("B_r").value / 1.4e9 - 1) < 0.03);
    }
}

TEST_CASE("points that no multi-mode ping-pong has are refused, and so are too few") {
    auto const good = points_of(truth(latency_form::time_line), octaves(1 << 16, 1 << 22, 1));
    CHECK(fit({good.begin(), good.begin() + 4}).points == 4);
    CHECK_THROWS_AS(fit(std::vector<multi_ping_pong::point>{}), cannot_fit);
    CHECK_THROWS_AS(fit({good.begin(), good.begin() + 3}), cannot_fit);
    CHECK_THROWS_AS(fit({good[0], good[0], good[1], good[1], good[1]}), cannot_fit);
    auto with = [&](multi_ping_pong::point bad) {
        auto points = good;
        points.push_back(bad);
        return points;
    };
    constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
    constexpr auto infinite = std::numeric_limits<double>::infinity();
    for (auto const time : {0.0, -1e-6, nan, infinite})
        CHECK_THROWS_AS(fit(with({bytes{4096}, 10, seconds{time}})), cannot_fit);
    for (auto const repetitions : {0.0, -1.0, nan, infinite})
        CHECK_THROWS_AS(fit(with({bytes{4096}, repetitions, seconds{1e-3}})), cannot_fit);
    for (auto const size : {-1.0, nan, infinite})
        CHECK_THROWS_AS(fit(with({bytes{size}, 10, seconds{1e-3}})), cannot_fit);
}
