// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/least_squares.hpp>
#include <sonde/model/fit/outliers.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/fit/segmented_regression.hpp>
#include <sonde/model/hockney.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sonde::model {

namespace detail {

using hockney_points = std::vector<hockney::point>;

/// Relative standard deviation of a rounding error, uniform up to `resolution`.
inline double rounding_of(hockney::point const& p) { return p.resolution / p.time / std::numbers::sqrt3; }

/// Points in ascending order of size. Throws fit_error for an invalid point, and if no line can be fitted.
inline hockney_points in_order(hockney_points points) {
    for (auto const& p : points) {
        validate_point("Hockney's model", p.size, p.time);
        if (!std::isfinite(p.resolution.count()) || p.resolution.count() < 0)
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

/// Of an even number of times the lower one in the middle, which is less likely to be too slow.
inline double lower_median(std::vector<double> times) {
    auto const middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

inline segment_costs line_costs(hockney_points const& points) {
    std::vector<regression_point> all;
    for (auto const& p : points)
        all.push_back({p.size.count(), p.time.count(), std::max(rounding_residual, rounding_of(p))});
    return segment_costs{std::move(all)};
}

/// Estimate of a parameter if a constrained fit replaces the free one: the value of the constrained fit, with the union
/// of both intervals.
inline parameter_estimate combined(parameter_estimate free, parameter_estimate const& constrained) {
    if (free.status != parameter_status::determined) return free;
    free.low = std::min(free.low, constrained.low);
    free.high = std::max(free.high, constrained.high);
    free.value = constrained.value;
    free.status = constrained.status;
    if (free.status == parameter_status::determined && free.high > widest_interval * free.low)
        free.status = parameter_status::undetermined;
    return free;
}

/// Line through the points of a segment. Neither alpha nor 1 / r_inf of the model is negative: where the free line says
/// so, a constant or a line through the origin replaces it.
class hockney_line {
public:
    explicit hockney_line(std::span<hockney::point const> points) {
        Eigen::MatrixXd rows(static_cast<Eigen::Index>(points.size()), 2);
        Eigen::VectorXd times(rows.rows()), rounding(rows.rows());
        for (Eigen::Index i = 0; i != rows.rows(); ++i) {
            auto const& p = points[static_cast<std::size_t>(i)];
            rows.row(i) << 1, p.size.count();
            times(i) = p.time.count();
            rounding(i) = rounding_of(p);
        }
        free_ = least_squares(rows, times, rounding);
        if (free_.values(1) <= 0) constant_ = least_squares(rows.col(0), times, rounding);
        else if (free_.values(0) < 0) through_origin_ = least_squares(rows.col(1), times, rounding);
    }
    hockney model() const {
        if (constant_) return {seconds{constant_->values(0)}, rate{infinity}};
        if (through_origin_) return {seconds{0}, rate{1 / through_origin_->values(0)}};
        return {seconds{free_.values(0)}, rate{1 / free_.values(1)}};
    }
    double condition_number() const { return free_.condition_number(); }
    /// "alpha", "r_inf" and "n_half".
    std::vector<parameter_estimate> parameters(std::size_t segment) const {
        parameter_id const alpha_id{"alpha", "s", segment}, r_inf_id{"r_inf", "B/s", segment};
        auto alpha = linear_parameter(alpha_id, free_, 0), r_inf = reciprocal_parameter(r_inf_id, free_, 1);
        if (constant_) alpha = combined(alpha, linear_parameter(alpha_id, *constant_, 0));
        if (through_origin_) r_inf = combined(r_inf, reciprocal_parameter(r_inf_id, *through_origin_, 0));
        return {alpha, r_inf, ratio_parameter({"n_half", "B", segment}, free_, 0, 1)};
    }

private:
    least_squares_result free_;
    std::optional<least_squares_result> constant_;
    std::optional<least_squares_result> through_origin_;
};

/// Root mean square of relative residuals, with two parameters for each line.
template <class Model>
double residual_rms(Model const& model, std::span<hockney::point const> points, std::size_t lines) {
    double sum = 0;
    for (auto const& p : points) sum += std::pow(model.time(p.size) / p.time - 1, 2);
    return std::sqrt(sum / (static_cast<double>(points.size()) - 2 * static_cast<double>(lines)));
}

/// Mean of the measured times of empty messages, which differs from alpha: alpha depends on all sizes.
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

/// Fits Hockney's model piecewise, with as many ranges of sizes as the data justify.
///
/// Isolated outliers are left out and listed in the note (`isolated_outliers`). Breakpoints are found by segmented
/// regression (`find_segments`); a segment has at least 4 points. Confidence intervals follow from the residuals of
/// the segment, whose relative size is taken to be the same for all of its points, and from the resolution of the
/// times. Parameters of each segment: "alpha" (s), "r_inf" (B/s), "n_half" (B), and, after the first segment,
/// "breakpoint" (B), its smallest size. Long messages alone only give an upper bound of alpha, tiny ones only a lower
/// bound of r_inf. A segment that its line does not describe determines its breakpoint only. The note gives T(0) if it
/// was measured.
///
/// Throws fit_error for fewer than 3 points, for a single size, for more than 2000 sizes, and for an invalid point.
[[nodiscard]] inline fit_result<piecewise_hockney> fit(std::vector<hockney::point> const& points) {
    auto ordered = detail::in_order(points);
    auto const outliers = detail::remove_outliers(ordered, {&hockney::point::time}, detail::lower_median);
    auto const costs = detail::line_costs(ordered);
    auto const boundaries = find_segments(costs);
    fit_result<piecewise_hockney> result;
    result.note = detail::outlier_note(
        outliers, [](auto const& p) { return detail::text_of(p.time) + " at " + detail::text_of(p.size); });
    detail::append_note(result.note, detail::empty_message_note(ordered));
    for (std::size_t k = 0; k + 1 != boundaries.size(); ++k) {
        auto const first = costs.points_before(boundaries[k]), last = costs.points_before(boundaries[k + 1]);
        auto const segment = std::span{std::as_const(ordered)}.subspan(first, last - first);
        detail::hockney_line const line{segment};
        result.model.segments.push_back({segment.front().size, line.model()});
        if (k != 0) result.parameters.push_back(breakpoint_estimate(costs, boundaries, k));
        auto parameters = line.parameters(k);
        if (auto const rms = detail::residual_rms(line.model(), segment, 1); rms > acceptable_residual) {
            std::for_each(parameters.begin(), parameters.end(), detail::set_undetermined);
            detail::append_note(result.note, detail::poor_segment_note(segment.front().size, rms));
        }
        result.parameters.insert(result.parameters.end(), parameters.begin(), parameters.end());
        result.condition_number = std::max(result.condition_number, line.condition_number());
    }
    result.residual_rms = detail::residual_rms(result.model, ordered, boundaries.size() - 1);
    return detail::finish(std::move(result), ordered);
}

} // namespace sonde::model
