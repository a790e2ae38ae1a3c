// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/bound.hpp>
#include <sonde/model/fit/kinked_fit.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/multi_ping_pong.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace sonde::model {

namespace detail {

inline void check(multi_ping_pong::point const& p) {
    if (!(p.size >= bytes{0}) || !std::isfinite(p.size.count()))
        throw cannot_fit{"multi-mode ping-pong: a size that is none"};
    if (!(p.repetitions >= 1) || !std::isfinite(p.repetitions))
        throw cannot_fit{"multi-mode ping-pong: a point of fewer than one repetition"};
    if (!(p.time.count() > 0) || !std::isfinite(p.time.count()))
        throw cannot_fit{"multi-mode ping-pong: a time that is not positive"};
}

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
    for (auto const& p : points) check(p);
    auto data = kinked_data_of(points, form);
    if (data.points() < 4 || data.places() < 3)
        throw cannot_fit{"multi-mode ping-pong: three parameters need four points, of three sizes, at least"};
    return data;
}

/// What is worth saying of each parameter of a multi-mode ping-pong.
class multi_findings {
public:
    explicit multi_findings(kinked_fit const& fit) : fit_{fit}, worth_{fit.worth(fit.best())} {}

    estimate const& worth() const { return worth_; }
    parameter chunk() const {
        label const as{"C", "B"};
        auto const kink = fit_.best().kink();
        if (fit_.all_above()) return unknown(as, kink);
        if (fit_.all_below()) return at_least(as, fit_.smallest_kink().kink());
        return between(as, fit_);
    }
    /// If all sizes may as well be below C as above it, it is known but for a factor of two.
    parameter link() const {
        label const as{"B_r", "B/s"};
        if (!fit_.all_above() || !fit_.all_below()) return link(as, worth_);
        return at_least(as, link(as, fit_.worth(fit_.of_all_below())).low);
    }
    parameter latency() const {
        label const as{"T_l", "s"};
        if (fit_.all_above()) return unknown(as, worth_.values(2));
        return linear_parameter(as, worth_.values(2), worth_.deviation(2), worth_.freedom);
    }
    double condition() const {
        auto const u = worth_.values(0);
        auto const kink = fit_.best().kink();
        Eigen::Matrix3d derivative; // of (C, B_r, T_l)
        derivative << -kink / u, 1 / u, 0, -1 / (u * u), 0, 0, 0, 0, 1;
        return worth_.in_terms_of(Eigen::Vector3d{kink, 1 / u, worth_.values(2)}, derivative).condition();
    }
    std::string note(latency_form form) const {
        std::string text;
        if (form == latency_form::published)
            text = "T_l of the published form is an effective parameter, not to be compared with a ping-pong's latency";
        auto add = [&](char const* more) { text += (text.empty() ? "" : "; ") + std::string{more}; };
        if (fit_.all_above() && fit_.all_below())
            add("all sizes may be below C, or all above it and B_r twice as large");
        else if (fit_.all_above()) add("no size is clearly below C: only C / (2 B_r) less the latency is determined");
        else if (fit_.all_below()) add("no size is clearly above C");
        return text;
    }

private:
    static parameter link(label const& as, estimate const& worth) {
        return reciprocal_parameter(as, worth.values(0), worth.deviation(0), worth.freedom);
    }

    kinked_fit const& fit_;
    estimate worth_;
};

} // namespace detail

/// The multi-mode ping-pong that fits best, of all C: C [B], B_r [B/s], T_l [s].
///
/// T_l needs sizes below C, and C needs sizes above it: what sizes on one side only cannot tell is not reported as
/// determined. Throws cannot_fit where there are fewer than four points or three sizes, or where a point is none.
inline fitted<multi_ping_pong> fit(std::vector<multi_ping_pong::point> const& points,
                                   latency_form form = latency_form::time_line) {
    auto const data = detail::checked_data(points, form);
    kinked_fit const found{data};
    detail::multi_findings const say{found};
    auto const& best = found.best();
    fitted<multi_ping_pong> result;
    result.model = {bytes{best.kink()}, rate{1 / best.values(0)}, seconds{best.values(2)}, form};
    result.parameters = {say.chunk(), say.link(), say.latency()};
    result.residual_rms = say.worth().rms;
    result.from = bytes{data.at(0)};
    result.to = bytes{data.at(data.points() - 1)};
    result.points = points.size();
    result.condition = say.condition();
    result.note = say.note(form);
    return result;
}

} // namespace sonde::model
