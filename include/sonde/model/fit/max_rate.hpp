// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/result.hpp>
#include <sonde/model/fit/two_phase.hpp>
#include <sonde/model/max_rate.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace sonde::model {

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
    std::ranges::stable_sort(points, {}, &max_rate::point::pairs);
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

/// Fits the max-rate model to points of all sizes and numbers of pairs together, with the best of all saturation
/// points. Parameters: "alpha" (s), "R_C", "R_N" (B/s), "k_sat".
///
/// R_N is a lower bound if no number of pairs clearly saturates the node. R_C is a lower bound if every number of pairs
/// may saturate it. Both are lower bounds if times hardly grow with the size. Bounds hold with a probability of 97.5 %.
/// Throws fit_error for fewer than four points, for a single size, and for an invalid point.
[[nodiscard]] inline fit_result<max_rate> fit(std::vector<max_rate::point> const& points) {
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

} // namespace sonde::model
