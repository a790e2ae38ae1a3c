// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/expect.hpp>
#include <sonde/model/fit/kinked_fit.hpp>
#include <sonde/model/fit/multi_findings.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/multi_ping_pong.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace sonde::model {

namespace detail {

/// (u, v, w) is (1 / B_r, C / B_r, T_l), in which (5) and (4') are linear, and the kink is at C.
inline kinked_data kinked_data_of(std::vector<multi_ping_pong::point> points, latency_form form) {
    std::stable_sort(points.begin(), points.end(), [](auto const& a, auto const& b) { return a.size < b.size; });
    kinked_data data{static_cast<Eigen::Index>(points.size())};
    multi_ping_pong const shape{.form = form};
    Eigen::Index i = 0;
    for (auto const& p : points) {
        auto const x = p.size.count();
        auto const n = p.repetitions;
        data.at(i) = x;
        data.below.row(i) << (2 * n + 1) * x, 0, shape.latencies(n);
        data.above.row(i) << 4 * n * x, -(2 * n - 1), shape.latencies(n);
        data.measured(i++) = p.time.count();
    }
    return data;
}

inline kinked_data checked_data(std::vector<multi_ping_pong::point> const& points, latency_form form) {
    for (auto const& p : points) expect_time("multi-mode ping-pong", p.size, p.time, {"repetitions", p.repetitions});
    auto data = kinked_data_of(points, form);
    if (data.points() < 4 || data.places() < 3)
        throw cannot_fit{
            "multi-mode ping-pong: three parameters need four points, of three sizes, at least; there are " +
            std::to_string(data.points()) + ", of " + std::to_string(data.places())};
    return data;
}

} // namespace detail

/// The multi-mode ping-pong that fits best, of all C: C [B], B_r [B/s], T_l [s].
///
/// T_l needs two sizes below C, and C needs sizes above it: what sizes on one side only cannot tell is not reported as
/// determined. Intervals are those of each parameter for all values of the others. Throws cannot_fit where there are
/// fewer than four points or three sizes, or where a point is none.
[[nodiscard]] inline fitted<multi_ping_pong> fit(std::vector<multi_ping_pong::point> const& points,
                                                 latency_form form = latency_form::time_line) {
    kinked_fit const found{detail::checked_data(points, form)};
    detail::multi_findings const say{found};
    auto const& data = found.data();
    auto const& best = found.best();
    fitted<multi_ping_pong> result;
    result.model = {bytes{best.kink()}, rate{1 / best.values(0)}, seconds{best.values(2)}, form};
    result.parameters = {say.chunk(), say.link(), say.latency()};
    result.residual_rms = found.rms();
    result.from = bytes{data.at(0)};
    result.to = bytes{data.at(data.points() - 1)};
    result.points = points.size();
    result.condition = say.condition();
    result.note = say.note(form);
    return settled(std::move(result));
}

} // namespace sonde::model
