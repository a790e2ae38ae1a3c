// SPDX-License-Identifier: BSL-1.0
#include "tools/model/regression/hockney_fit.hpp"

#include "tools/model/regression/least_squares.hpp"
#include "tools/model/regression/outliers.hpp"
#include "tools/model/regression/segmented_regression.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <span>
#include <string>
#include <utility>

namespace tools::regression {

namespace {

using hockney_points = std::vector<tools::model_point<hockney>>;

/// Relative standard deviation of a rounding error, uniform up to `resolution`.
double rounding_of(tools::model_point<hockney> const& p) { return p.resolution / p.time / std::numbers::sqrt3; }

/// Points in ascending order of size. Throws fit_error for an invalid point, and if no line can be fitted.
hockney_points in_order(hockney_points points) {
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

segment_costs line_costs(hockney_points const& points) {
    std::vector<regression_point> all;
    for (auto const& p : points)
        all.push_back({p.size.count(), p.time.count(), std::max(rounding_residual, rounding_of(p))});
    return segment_costs{std::move(all)};
}

/// Line through the points of a segment.
non_negative_line line_of(std::span<tools::model_point<hockney> const> points) {
    auto const times = vector_of(points, [](tools::model_point<hockney> const& p) { return p.time.count(); });
    auto const rounding = vector_of(points, rounding_of);
    return {line_matrix(points, 0),
            [&](Eigen::MatrixXd const& columns) { return least_squares(columns, times, rounding); }};
}

/// Estimate of parameter i of a line. If a constrained line replaces the free line, the estimate has the value of the
/// constrained line and the union of both intervals.
parameter_estimate combined_parameter(parameter_id const& id, non_negative_line const& line, Eigen::Index i) {
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
std::vector<parameter_estimate> parameters_of(non_negative_line const& line, std::size_t segment) {
    return {combined_parameter({"alpha", "s", segment}, line, 0),
            reciprocal(combined_parameter({"r_inf", "B/s", segment}, line, 1)),
            ratio_parameter({"n_half", "B", segment}, line.free, 0, 1)};
}

/// Root mean square of relative residuals, with two parameters for each line.
template <class Model>
double residual_rms(Model const& model, std::span<tools::model_point<hockney> const> points, std::size_t lines) {
    auto const squares = sum_of_squares(points, [&](auto const& p) { return model.time(p.size) / p.time - 1; });
    return std::sqrt(squares / (static_cast<double>(points.size()) - 2 * static_cast<double>(lines)));
}

/// Mean of the measured times of empty messages, which differs from alpha, because alpha depends on all sizes.
std::string empty_message_note(hockney_points const& points) {
    seconds sum{};
    std::size_t n = 0;
    for (; n != points.size() && points[n].size == bytes{0}; ++n) sum += points[n].time;
    return n == 0 ? "" : "T(0) was measured: " + text_of(sum / static_cast<double>(n));
}

std::string poor_segment_note(bytes from, double rms) {
    char note[80];
    std::snprintf(note, sizeof note, "from %.0f B on the model does not describe these data: residuals of %.0f %%",
                  from.count(), 100 * rms);
    return note;
}

} // namespace

fit_result<piecewise_hockney> fit(std::vector<tools::model_point<hockney>> const& points) {
    auto ordered = in_order(points);
    auto const launches = launch_note(ordered, &tools::model_point<hockney>::time);
    auto const outliers =
        remove_outliers(ordered, {&tools::model_point<hockney>::time}, lower_median, outlier_sides::both);
    auto const costs = line_costs(ordered);
    auto const boundaries = find_segments(costs);
    fit_result<piecewise_hockney> result;
    result.note = outlier_note(outliers, [](auto const& p) { return text_of(p.time) + " at " + text_of(p.size); });
    append_note(result.note, launches);
    append_note(result.note, empty_message_note(ordered));
    for (std::size_t k = 0; k + 1 != boundaries.size(); ++k) {
        auto const segment = costs.slice(ordered, boundaries[k], boundaries[k + 1]);
        auto const line = line_of(segment);
        hockney const model{seconds{line.constrained.values(0)}, rate{reciprocal_of(line.constrained.values(1))}};
        result.model.segments.push_back({segment.front().size, model});
        if (k != 0) result.parameters.push_back(breakpoint_estimate(costs, boundaries, k));
        auto parameters = parameters_of(line, k);
        if (auto const rms = residual_rms(model, segment, 1); rms > acceptable_residual) {
            std::for_each(parameters.begin(), parameters.end(), set_undetermined);
            append_note(result.note, poor_segment_note(segment.front().size, rms));
        }
        result.parameters.insert(result.parameters.end(), parameters.begin(), parameters.end());
        result.condition_number = std::max(result.condition_number, line.free.condition_number());
    }
    result.residual_rms = residual_rms(result.model, ordered, boundaries.size() - 1);
    return finish(std::move(result), ordered);
}

} // namespace tools::regression
