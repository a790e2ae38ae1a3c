// SPDX-License-Identifier: BSL-1.0
#include "../../relative_difference.hpp"
#include "multi_ping_pong_data.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

using namespace multi_ping_pong_data;
using tools::regression::fit_result;

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
