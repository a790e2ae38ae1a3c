// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model.hpp>
#include <sonde/model/fit/result.hpp>

#include <vector>

namespace sonde::inline v0_1::model {

/// Fits the max-rate model to points of all sizes and numbers of pairs together, with the best of all saturation
/// points. Parameters: "alpha" (s), "R_C", "R_N" (B/s), "k_sat".
///
/// R_N is a lower bound if no number of pairs clearly saturates the node. R_C is a lower bound if every number of pairs
/// may saturate it. Both are lower bounds if times hardly grow with the size. Bounds hold with a probability of 97.5 %.
/// Throws fit_error for fewer than four points, for a single size, and for an invalid point.
[[nodiscard]] fit_result<max_rate> fit(std::vector<max_rate::point> const& points);

/// Fits the multi-mode PingPong model, with the best of all C. Parameters: "C" (B), "B_r" (B/s), "T_l" (s).
///
/// T_l needs two sizes below C, and C needs sizes above C. With sizes on one side only, they are not determined. The
/// interval of each parameter holds for all values of the other parameters. Throws fit_error for fewer than four points
/// or three sizes, and for an invalid point.
[[nodiscard]] fit_result<multi_ping_pong> fit(std::vector<multi_ping_pong::point> const& points,
                                              latency_form form = latency_form::time_line);

} // namespace sonde::model

#if SONDE_DEFINITIONS
#include <sonde/model/fit/two_phase.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace sonde::inline v0_1::model {

namespace detail {

/// Parameters (u, v, w) are (1 / R_N, 1 / R_C, alpha), and the breakpoint is k_sat.
inline two_phase_data two_phase_data_of(std::vector<max_rate::point> points) {
    for (auto const& p : points) validate_point("max-rate", p.size, p.time, "pairs", p.pairs);
    if (points.size() < 4)
        throw fit_error{"max-rate: three parameters need four points at least; there are " +
                        std::to_string(points.size())};
    if (std::all_of(points.begin(), points.end(), [&](auto const& p) { return p.size == points.front().size; }))
        throw fit_error{"max-rate: latency and rates need two sizes at least; all points are of " +
                        text_of(points.front().size)};
    std::stable_sort(points.begin(), points.end(), [](auto const& a, auto const& b) { return a.pairs < b.pairs; });
    two_phase_data data{static_cast<Eigen::Index>(points.size())};
    for (Eigen::Index i = 0; auto const& p : points) {
        data.position(i) = p.pairs;
        data.below.row(i) << 0, p.size.count(), 1;
        data.above.row(i) << p.pairs * p.size.count(), 0, 1;
        data.measured(i++) = p.time.count();
    }
    return data;
}

inline char const* max_rate_note(two_phase_fit const& fit) {
    if (fit.rms() > acceptable_residual) return "";
    if (fit.all_above && fit.all_below) return "R_C and R_N: the numbers of pairs do not tell which is the limit";
    if (fit.all_above) return "R_C: every number of pairs may saturate the node";
    return fit.all_below ? "R_N: no number of pairs clearly saturates the node" : "";
}

} // namespace detail

SONDE_INLINE fit_result<max_rate> fit(std::vector<max_rate::point> const& points) {
    detail::two_phase_fit const found{detail::two_phase_data_of(points)};
    auto const& best = found.best.values;
    // If every number of pairs saturates the node, R_C is the smallest rate that saturates it; a single pair could be
    // faster.
    auto const per_byte = std::max(best(1), found.data.position(0) * best(0));
    fit_result<max_rate> result;
    result.model = {seconds{best(2)}, rate{detail::reciprocal_of(per_byte)}, rate{detail::reciprocal_of(best(0))}};
    result.parameters = {found.parameter({"alpha", "s"}, 2), found.rate_parameter({"R_C", "B/s"}, 1, found.all_above),
                         found.rate_parameter({"R_N", "B/s"}, 0, found.all_below),
                         found.breakpoint_parameter({"k_sat", ""})};
    result.residual_rms = found.rms();
    result.condition_number = found.least_squares().condition_number();
    result.note = detail::max_rate_note(found);
    return detail::finish(std::move(result), points);
}

namespace detail {

/// Parameters (u, v, w) are (1 / B_r, C / B_r, T_l), in which (5) and (4') are linear, and the breakpoint is C.
inline two_phase_data two_phase_data_of(std::vector<multi_ping_pong::point> points, latency_form form) {
    for (auto const& p : points) validate_point("multi-mode ping-pong", p.size, p.time, "repetitions", p.repetitions);
    auto const sizes = sort_by_size(points);
    if (points.size() < 4 || sizes < 3)
        throw fit_error{
            "multi-mode ping-pong: three parameters need four points, of three sizes, at least; there are " +
            std::to_string(points.size()) + ", of " + std::to_string(sizes)};
    two_phase_data data{static_cast<Eigen::Index>(points.size())};
    multi_ping_pong const model{.form = form};
    for (Eigen::Index i = 0; auto const& p : points) {
        auto const x = p.size.count(), n = p.repetitions;
        data.position(i) = x;
        data.below.row(i) << (2 * n + 1) * x, 0, model.latency_count(n);
        data.above.row(i) << 4 * n * x, -(2 * n - 1), model.latency_count(n);
        data.measured(i++) = p.time.count();
    }
    return data;
}

/// Two sizes below C are needed. With a single size, T_l would be determined only where noise makes it look large.
inline parameter_estimate latency_parameter(two_phase_fit const& fit) {
    parameter_id const id{"T_l", "s"};
    if (fit.all_above) return undetermined(id, fit.best.values(2));
    auto const p = fit.parameter(id, 2);
    auto const sizes = fit.data.position.array();
    bool const two_below = (sizes > sizes(0) && sizes < fit.region.breakpoint.low).any();
    return two_below || p.status != parameter_status::determined ? p : upper_bound(id, p.high);
}

/// Condition number for the parameters (C, B_r, T_l).
inline double condition_number(two_phase_fit const& fit) {
    auto const c = fit.best.breakpoint(), u = fit.best.values(0);
    if (!(u > 0)) return unlimited;
    Eigen::Matrix3d const derivative{{-c / u, 1 / u, 0}, {-1 / (u * u), 0, 0}, {0, 0, 1}};
    return fit.least_squares()
        .reparameterized(Eigen::Vector3d{c, 1 / u, fit.best.values(2)}, derivative)
        .condition_number();
}

/// True if neighboring residuals are so similar that the probability of noise is less than 1 in 1,000 (von Neumann's
/// ratio).
inline bool are_correlated(Eigen::VectorXd const& residuals) {
    auto const n = residuals.size();
    auto const ratio = (residuals.tail(n - 1) - residuals.head(n - 1)).squaredNorm() / residuals.squaredNorm();
    return std::sqrt(static_cast<double>(n)) * (1 - ratio / 2) > 3.09;
}

inline std::string one_sided_note(two_phase_fit const& fit, latency_form form) {
    if (!(fit.region.parameters[0].low > 0)) return "times hardly grow with the size: B_r is only bounded";
    if (fit.all_above && fit.all_below) return "all sizes may be below C, or all above it and B_r twice as large";
    if (fit.all_above)
        return std::string{"no size is clearly below C: besides B_r only C / (2 B_r) - T_l"} +
               (form == latency_form::published ? "" : " / 2") + " is determined";
    return fit.all_below ? "no size is clearly above C" : "";
}

inline std::string multi_ping_pong_note(two_phase_fit const& fit, latency_form form) {
    if (fit.rms() > acceptable_residual) return "";
    std::string note;
    if (form == latency_form::published)
        note = "T_l of the published form is an effective parameter, not to be compared with a ping-pong's latency";
    append_note(note, one_sided_note(fit, form));
    if (fit.rms() > rounding_residual && are_correlated(fit.residuals()))
        append_note(note,
                    "residuals follow the size: sizes of another protocol, or a link that is not shared in chunks?");
    return note;
}

} // namespace detail

SONDE_INLINE fit_result<multi_ping_pong> fit(std::vector<multi_ping_pong::point> const& points, latency_form form) {
    detail::two_phase_fit const found{detail::two_phase_data_of(points, form)};
    auto const& best = found.best;
    fit_result<multi_ping_pong> result;
    result.model = {bytes{best.breakpoint()}, rate{detail::reciprocal_of(best.values(0))}, seconds{best.values(2)},
                    form};
    parameter_id const chunk{"C", "B"};
    // If all sizes may be below C and all may be above it, B_r is known only up to a factor of two.
    auto const one_sided = found.all_above && found.all_below;
    result.parameters = {found.all_above ? detail::undetermined(chunk, best.breakpoint())
                                         : found.breakpoint_parameter(chunk),
                         found.rate_parameter({"B_r", "B/s"}, 0, one_sided), detail::latency_parameter(found)};
    result.residual_rms = found.rms();
    result.condition_number = detail::condition_number(found);
    result.note = detail::multi_ping_pong_note(found, form);
    return detail::finish(std::move(result), points);
}

} // namespace sonde::model

#endif
