// SPDX-License-Identifier: BSL-1.0
#include "../../relative_difference.hpp"
#include "multi_ping_pong_data.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>

using namespace multi_ping_pong_data;
using tools::regression::fit_result;
using tools::regression::parameter_status;

namespace {

void check_is(fit_result<multi_ping_pong> const& found, multi_ping_pong const& m) {
    CHECK(found.determined());
    CHECK(relative_difference(found("C").value, m.chunk.count()) < 1e-6);
    CHECK(relative_difference(found("B_r").value, m.link_rate.count()) < 1e-6);
    CHECK(relative_difference(found("T_l").value, m.latency.count()) < 1e-6);
    CHECK(relative_difference(found.model.chunk.count(), m.chunk.count()) < 1e-6);
    CHECK(relative_difference(found.model.link_rate.count(), m.link_rate.count()) < 1e-6);
    CHECK(relative_difference(found.model.latency.count(), m.latency.count()) < 1e-6);
    CHECK(found.model.form == m.form);
    CHECK(found.residual_rms < 1e-9);
}
} // namespace

TEST_CASE("without noise, C, B_r and T_l come back to 1e-6, at every C among the sizes") {
    auto const sizes = octaves(1 << 15, 1 << 23, 4);
    for (auto const form : both)
        for (auto const chunk : {4e4, 3e5, 524288.0, 6e6}) {
            auto const m = truth(form, chunk);
            check_is(fit(points_of(m, sizes), form), m);
        }
}

TEST_CASE("a fit reports its points and sizes, whatever the order of the points") {
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
    for (auto& p : points) { // one n, so that the factor is constant
        p.repetitions = 10;
        p.time = truth(latency_form::time_line).time(p.size, 10);
    }
    auto published = truth(latency_form::published);
    published.latency = seconds{4e-6 * 20 / 39};
    check_is(fit(points, latency_form::published), published);
}

TEST_CASE("only the published form has the note that its T_l is not a ping-pong's latency") {
    auto const sizes = octaves(1 << 15, 1 << 23, 4);
    auto const points = points_of(truth(latency_form::time_line), sizes);
    CHECK(fit(points, latency_form::published).note.find("T_l") == 0);
    CHECK(fit(points).note.empty());
}

TEST_CASE("the Jacobian's condition number is about 15 or 30 with sizes on both sides of C, and 7e5 above C alone") {
    for (auto const form : both) {
        auto const many = form == latency_form::published ? 15.0 : 30.0;
        auto const found = fit(points_of(truth(form), octaves(1 << 15, 1 << 23, 4)), form);
        CHECK(std::fabs(found.condition_number / many - 1) < 0.2);
        auto const above = fit(points_of(truth(form), octaves(1 << 19, 1 << 23, 4)), form);
        CHECK(std::fabs(above.condition_number / 7e5 - 1) < 0.1);
    }
}

namespace {

struct timed {
    double size, time;
};
/// Points of 10 repetitions each.
std::vector<tools::model_point<multi_ping_pong>> ten_times(std::initializer_list<timed> all) {
    std::vector<tools::model_point<multi_ping_pong>> points;
    for (auto const& p : all) points.push_back({bytes{p.size}, 10, seconds{p.time}});
    return points;
}

/// Points of which the times of sizes below 32 KiB are those of the model times `factor`.
std::vector<tools::model_point<multi_ping_pong>> with_eager_range(double factor, double from) {
    auto points = points_of(truth(latency_form::time_line), octaves(from, 1 << 23, 4));
    for (auto& p : points)
        if (p.size < bytes{32768}) p.time = factor * p.time;
    return points;
}

bool has(std::string const& note, char const* words) { return note.find(words) != std::string::npos; }
} // namespace

TEST_CASE("sizes above C alone determine only B_r, and neither C nor T_l, with noise or without") {
    for (auto const form : both) {
        auto const points = points_of(truth(form), octaves(1 << 19, 1 << 23, 4));
        noise errors{0.02};
        for (auto const& found : {fit(points, form), fit(measured(points, errors), form)}) {
            CHECK(found("C").status == parameter_status::undetermined);
            CHECK(found("T_l").status == parameter_status::undetermined);
            CHECK(found("B_r").status == parameter_status::determined);
            CHECK(found("B_r").low < 1.4e9 * 1.0001);
            CHECK(found("B_r").high > 1.4e9 * 0.9999);
            CHECK(has(found.note, form == latency_form::published
                                      ? "besides B_r only C / (2 B_r) - T_l is determined"
                                      : "besides B_r only C / (2 B_r) - T_l / 2 is determined"));
        }
    }
}

TEST_CASE("sizes below C alone, without noise: C is a bound, and B_r and T_l are determined") {
    for (auto const form : both) {
        auto const found = fit(points_of(truth(form), octaves(1 << 10, 1 << 18, 4)), form);
        CHECK(found("C").status == parameter_status::lower_bound);
        CHECK(found("C").value > 0.99 * (1 << 18));
        CHECK(found("C").value < 3e5);
        CHECK(relative_difference(found("B_r").value, 1.4e9) < 1e-6);
        CHECK(relative_difference(found("T_l").value, 4e-6) < 1e-6);
        CHECK(found("T_l").status == parameter_status::determined);
    }
}

TEST_CASE("pairs that never overlap determine neither C nor T_l") {
    multi_ping_pong const none{bytes{0}, rate{1.4e9}, seconds{4e-6}};
    noise errors{0.02};
    for (auto const& found : {fit(points_of(none, octaves(1 << 15, 1 << 23, 4))),
                              fit(measured(points_of(none, octaves(1 << 15, 1 << 23, 4)), errors))}) {
        CHECK(found("C").status == parameter_status::undetermined);
        CHECK(found("T_l").status == parameter_status::undetermined);
    }
}

TEST_CASE("a latency of zero is an upper bound, and C and B_r are determined") {
    auto m = truth(latency_form::time_line);
    m.latency = seconds{0};
    noise errors{0.02};
    for (int i = 0; i != 5; ++i) {
        auto const found = fit(measured(points_of(m, octaves(1 << 15, 1 << 23, 4)), errors));
        CHECK(found("T_l").status == parameter_status::upper_bound);
        CHECK(found("T_l").value < 3e-6);
        CHECK(found("T_l").value > 0);
        CHECK(found.model.latency.count() >= 0);
        CHECK(found("C").status == parameter_status::determined);
        CHECK(std::fabs(found("C").value / 3e5 - 1) < 0.08);
        CHECK(std::fabs(found("B_r").value / 1.4e9 - 1) < 0.03);
    }
}

TEST_CASE("times that do not grow with the size make B_r a bound, and leave C and T_l undetermined") {
    for (auto const& points : {ten_times({{1, 1e-3}, {2, 1e-3}, {3, 1e-3}, {4, 1e-3}, {5, 1e-3}}),
                               ten_times({{0, 5e-6}, {0, 5e-6}, {0, 5e-6}, {1, 4.7e-6}, {2, 4.5e-6}})}) {
        auto const found = fit(points);
        CHECK(found.residual_rms < 0.1);
        CHECK(found("C").status == parameter_status::undetermined);
        CHECK(found("B_r").status == parameter_status::lower_bound);
        CHECK(std::isfinite(found("B_r").value));
        CHECK(found("T_l").status == parameter_status::undetermined);
        CHECK(found.model.time(bytes{1}, 10) > seconds{4.5e-6});
        CHECK(has(found.note, "times hardly grow with the size"));
    }
}

TEST_CASE("times that fall by half as sizes grow, some of them 0, determine nothing") {
    auto const found = fit(ten_times({{0, 5e-6}, {0, 5e-6}, {0, 5e-6}, {1, 4e-6}, {2, 2e-6}}));
    for (auto const& p : found.parameters) CHECK(p.status == parameter_status::undetermined);
    CHECK(found.note == "the model does not describe these data");
}

TEST_CASE("an eager range that takes half as long does not fit the model, and determines nothing") {
    for (auto const factor : {0.45, 0.3}) {
        auto const found = fit(with_eager_range(factor, 1));
        CHECK(found.residual_rms > 0.15);
        for (auto const& p : found.parameters) CHECK(p.status == parameter_status::undetermined);
        CHECK(found.note == "the model does not describe these data");
    }
}

TEST_CASE("the note reports residuals that depend on the size, of an eager range that fits on average") {
    noise errors{0.02};
    for (auto const factor : {0.6, 0.8, 1.2}) {
        auto const found = fit(measured(with_eager_range(factor, 1 << 10), errors));
        CHECK(found.residual_rms < 0.15);
        CHECK(has(found.note, "residuals follow the size"));
    }
    for (int i = 0; i != 20; ++i) CHECK(fit(measured(with_eager_range(1, 1 << 10), errors)).note.empty());
}
