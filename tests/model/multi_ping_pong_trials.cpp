// SPDX-License-Identifier: BSL-1.0
#include "fit_data.hpp"
#include "scatter.hpp"

#include <sonde/model/fit/multi_ping_pong.hpp>

#include <doctest/doctest.h>

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::fit;
using sonde::model::latency_form;
using sonde::model::multi_ping_pong;
using sonde::model::rate;
using sonde::model::standing;

namespace {
constexpr auto both = {latency_form::published, latency_form::time_line};
constexpr double relative_noise = 0.02;

multi_ping_pong truth(latency_form form) { return {bytes{3e5}, rate{1.4e9}, seconds{4e-6}, form}; }

struct outcome {
    trials chunk{3e5}, link{1.4e9}, latency{4e-6};
};

outcome thousand(latency_form form, std::vector<bytes> const& sizes) {
    outcome all;
    noise errors{relative_noise, 7};
    auto const points = points_of(truth(form), sizes);
    for (int i = 0; i != 1000; ++i) {
        auto const found = fit(measured(points, errors), form);
        all.chunk.add(found.model.chunk.count(), found("C"));
        all.link.add(found.model.link.count(), found("B_r"));
        all.latency.add(found.model.latency.count(), found("T_l"));
    }
    return all;
}

/// The least scatter that any unbiased estimate of (C, B_r, T_l) can have, by Cramer and Rao: of the model's own
/// derivatives by logarithms.
Eigen::Vector3d least_scatter(latency_form form, std::vector<bytes> const& sizes) {
    auto const points = points_of(truth(form), sizes);
    Eigen::MatrixX3d slopes(static_cast<Eigen::Index>(points.size()), 3);
    constexpr double step = 1e-6;
    for (Eigen::Index i = 0; i != slopes.rows(); ++i) {
        auto const& p = points[static_cast<std::size_t>(i)];
        auto slope = [&](multi_ping_pong const& m) { return (m.time(p.size, p.repetitions) / p.time - 1) / step; };
        auto const t = truth(form);
        slopes(i, 0) = slope({bytes{t.chunk.count() * (1 + step)}, t.link, t.latency, form});
        slopes(i, 1) = slope({t.chunk, rate{t.link.count() * (1 + step)}, t.latency, form});
        slopes(i, 2) = slope({t.chunk, t.link, t.latency * (1 + step), form});
    }
    Eigen::Matrix3d const information = slopes.transpose() * slopes;
    Eigen::Matrix3d const covariance = information.inverse();
    return relative_noise * covariance.diagonal().cwiseSqrt();
}

void check_held(trials const& t) {
    CHECK(t.coverage() > 0.93);
    CHECK(t.coverage() < 0.97);
}
} // namespace

TEST_CASE("2 % noise, four sizes per octave: scatter is what any estimate must have, and intervals hold the truth") {
    auto const sizes = octaves(1 << 15, 1 << 23, 4);
    for (auto const form : both) {
        auto const found = thousand(form, sizes);
        auto const least = least_scatter(form, sizes);
        INFO("C " << found.chunk.scatter() << " of " << least(0) << ", B_r " << found.link.scatter() << " of "
                  << least(1) << ", T_l " << found.latency.scatter() << " of " << least(2));
        CHECK(found.chunk.scatter() < 1.05 * least(0));
        CHECK(found.link.scatter() < 1.05 * least(1));
        CHECK(found.latency.scatter() < 1.05 * least(2));
        CHECK(std::fabs(found.link.bias()) < 0.0005);
        CHECK(found.chunk.determined() == 1);
        check_held(found.chunk);
        check_held(found.link);
        check_held(found.latency);
    }
}

TEST_CASE("2 % noise, four sizes per octave: C to 1.8 %, B_r to 0.55 %, T_l of the published form to 6 %") {
    auto const found = thousand(latency_form::published, octaves(1 << 15, 1 << 23, 4));
    CHECK(found.chunk.scatter() < 0.018);
    CHECK(found.link.scatter() < 0.0055);
    CHECK(found.latency.scatter() < 0.06);
}

TEST_CASE("2 % noise, powers of two only: C to 8 %, B_r to 1.7 %, T_l to what any estimate must have, 16 %") {
    auto const sizes = octaves(1 << 16, 1 << 22, 1);
    auto const found = thousand(latency_form::published, sizes);
    auto const least = least_scatter(latency_form::published, sizes);
    INFO("C " << found.chunk.scatter() << " of " << least(0) << ", B_r " << found.link.scatter() << " of "
              << least(1) << ", T_l " << found.latency.scatter() << " of " << least(2));
    CHECK(found.chunk.scatter() < 0.08);
    CHECK(found.link.scatter() < 0.017);
    CHECK(found.latency.scatter() < 1.05 * least(2));
    check_held(found.chunk);
    check_held(found.latency);
}

TEST_CASE("in a thousand trials with all sizes on one side of C, C and T_l are never said to be determined") {
    for (auto const form : both) {
        auto const above = thousand(form, octaves(1 << 19, 1 << 23, 4));
        CHECK(above.chunk.determined() == 0);
        CHECK(above.latency.determined() == 0);
        CHECK(above.link.determined() == 1);
        CHECK(above.link.coverage() > 0.93);
        CHECK(thousand(form, octaves(1 << 15, 1 << 18, 4)).chunk.determined() == 0);
    }
}
