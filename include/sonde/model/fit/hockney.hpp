// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model.hpp>
#include <sonde/model/fit/result.hpp>

#include <vector>

namespace sonde::inline v0_1::model {

/// Fits Hockney's model piecewise, with as many ranges of sizes as the data justify.
///
/// Isolated outliers are left out and listed in the note (`isolated_outliers`). Breakpoints are found by segmented
/// regression (`find_segments`); a segment has at least 4 points. Confidence intervals follow from the residuals of the
/// segment and from the resolution of the times. The relative size of the residuals is taken to be equal for all points
/// of the segment. Parameters of each segment: "alpha" (s), "r_inf" (B/s), "n_half" (B), and, after the first segment,
/// "breakpoint" (B), its smallest size. Points of long messages alone give only an upper bound of alpha; points of tiny
/// messages give only a lower bound of r_inf. If the line does not describe a segment, only the breakpoint of the
/// segment is determined. The note gives T(0) if it was measured.
///
/// Throws fit_error for fewer than 3 points, for a single size, for more than 2000 sizes, and for an invalid point.
[[nodiscard]] fit_result<piecewise_hockney> fit(std::vector<hockney::point> const& points);

} // namespace sonde::model

#if SONDE_DEFINITIONS
#include <sonde/model/fit/least_squares.hpp>
#include <sonde/model/fit/outliers.hpp>
#include <sonde/model/fit/segmented_regression.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <span>
#include <string>
#include <utility>

namespace sonde::inline v0_1::model {

namespace detail {

using hockney_points = std::vector<hockney::point>;

/// Relative standard deviation of a rounding error, uniform up to `resolution`.
inline double rounding_of(hockney::point const& p) { return p.resolution / p.time / std::numbers::sqrt3; }

/// Points in ascending order of size. Throws fit_error for an invalid point, and if no line can be fitted.
inline hockney_points in_order(hockney_points points) {
    for (auto const& p : points) {
        validate_point("Hockney's model", p.size, p.time);
        if (!is_finite(p.resolution.count()) || p.resolution.count() < 0)
            throw fit_error{"Hockney's model: a resolution of " + sonde::detail::text_of(p.resolution.count()) + " s"};
    }
    if (points.size() < 3)
        throw fit_error{"Hockney's model: " + std::to_string(points.size()) + " points; a line and its error need 3"};
    auto const sizes = sort_by_size(points);
    if (sizes == 1)
        throw fit_error{"Hockney's model: all points are of " + text_of(points.front().size) +
                        "; a line needs two sizes"};
    if (sizes > most_sizes)
        throw fit_error{"Hockney's model: " + std::to_string(sizes) + " sizes; at most " + std::to_string(most_sizes)};
    return points;
}

inline segment_costs line_costs(hockney_points const& points) {
    std::vector<regression_point> all;
    for (auto const& p : points)
        all.push_back({p.size.count(), p.time.count(), std::max(rounding_residual, rounding_of(p))});
    return segment_costs{std::move(all)};
}

/// Line through the points of a segment.
inline non_negative_line line_of(std::span<hockney::point const> points) {
    auto const times = vector_of(points, [](hockney::point const& p) { return p.time.count(); });
    auto const rounding = vector_of(points, rounding_of);
    return {line_matrix(points, 0),
            [&](Eigen::MatrixXd const& columns) { return least_squares(columns, times, rounding); }};
}

/// Estimate of parameter i of a line. If a constrained line replaces the free line, the estimate has the value of the
/// constrained line and the union of both intervals.
inline parameter_estimate combined_parameter(parameter_id const& id, non_negative_line const& line, Eigen::Index i) {
    auto const free = linear_parameter(id, line.free, i);
    if (line.zero != 1 - i || free.status != parameter_status::determined) return free;
    auto p = linear_parameter(id, line.constrained, i);
    p.low = std::min(p.low, free.low);
    p.high = std::max(p.high, free.high);
    if (p.status == parameter_status::determined && p.high > widest_interval * p.low)
        p.status = parameter_status::undetermined;
    return p;
}

/// "alpha", "r_inf" and "n_half".
inline std::vector<parameter_estimate> parameters_of(non_negative_line const& line, std::size_t segment) {
    return {combined_parameter({"alpha", "s", segment}, line, 0),
            reciprocal(combined_parameter({"r_inf", "B/s", segment}, line, 1)),
            ratio_parameter({"n_half", "B", segment}, line.free, 0, 1)};
}

/// Root mean square of relative residuals, with two parameters for each line.
template <class Model>
double residual_rms(Model const& model, std::span<hockney::point const> points, std::size_t lines) {
    auto const squares = sum_of_squares(points, [&](auto const& p) { return model.time(p.size) / p.time - 1; });
    return std::sqrt(squares / (static_cast<double>(points.size()) - 2 * static_cast<double>(lines)));
}

/// Mean of the measured times of empty messages, which differs from alpha, because alpha depends on all sizes.
inline std::string empty_message_note(hockney_points const& points) {
    seconds sum{};
    std::size_t n = 0;
    for (; n != points.size() && points[n].size == bytes{0}; ++n) sum += points[n].time;
    return n == 0 ? "" : "T(0) was measured: " + text_of(sum / static_cast<double>(n));
}

inline std::string poor_segment_note(bytes from, double rms) {
    char note[80];
    std::snprintf(note, sizeof note, "from %.0f B on the model does not describe these data: residuals of %.0f %%",
                  from.count(), 100 * rms);
    return note;
}

} // namespace detail

SONDE_INLINE fit_result<piecewise_hockney> fit(std::vector<hockney::point> const& points) {
    auto ordered = detail::in_order(points);
    auto const launches = detail::launch_note(ordered, &hockney::point::time);
    auto const outliers = detail::remove_outliers(ordered, {&hockney::point::time}, detail::lower_median);
    auto const costs = detail::line_costs(ordered);
    auto const boundaries = find_segments(costs);
    fit_result<piecewise_hockney> result;
    result.note = detail::outlier_note(
        outliers, [](auto const& p) { return detail::text_of(p.time) + " at " + detail::text_of(p.size); });
    detail::append_note(result.note, launches);
    detail::append_note(result.note, detail::empty_message_note(ordered));
    for (std::size_t k = 0; k + 1 != boundaries.size(); ++k) {
        auto const segment = costs.slice(ordered, boundaries[k], boundaries[k + 1]);
        auto const line = detail::line_of(segment);
        hockney const model{seconds{line.constrained.values(0)},
                            rate{detail::reciprocal_of(line.constrained.values(1))}};
        result.model.segments.push_back({segment.front().size, model});
        if (k != 0) result.parameters.push_back(breakpoint_estimate(costs, boundaries, k));
        auto parameters = detail::parameters_of(line, k);
        if (auto const rms = detail::residual_rms(model, segment, 1); rms > acceptable_residual) {
            std::for_each(parameters.begin(), parameters.end(), detail::set_undetermined);
            detail::append_note(result.note, detail::poor_segment_note(segment.front().size, rms));
        }
        result.parameters.insert(result.parameters.end(), parameters.begin(), parameters.end());
        result.condition_number = std::max(result.condition_number, line.free.condition_number());
    }
    result.residual_rms = detail::residual_rms(result.model, ordered, boundaries.size() - 1);
    return detail::finish(std::move(result), ordered);
}

} // namespace sonde::model

#endif
