// SPDX-License-Identifier: BSL-1.0
#include "tools/model/regression/max_rate_fit.hpp"

#include "tools/model/regression/two_phase.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace tools::regression {

namespace {

/// Parameters (u, v, w) are (1 / R_N, 1 / R_C, alpha), and the breakpoint is k_sat.
two_phase_data two_phase_data_of(std::vector<tools::model_point<max_rate>> points) {
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

char const* max_rate_note(two_phase_fit const& fit) {
    if (fit.rms() > acceptable_residual) return "";
    if (fit.all_above && fit.all_below) return "R_C and R_N: the numbers of pairs do not tell which is the limit";
    if (fit.all_above) return "R_C: every number of pairs may saturate the node";
    return fit.all_below ? "R_N: no number of pairs clearly saturates the node" : "";
}

} // namespace

fit_result<max_rate> fit(std::vector<tools::model_point<max_rate>> const& points) {
    two_phase_fit const found{two_phase_data_of(points)};
    auto const& best = found.best.values;
    // If every number of pairs saturates the node, R_C is the smallest rate that saturates it; a single pair could be
    // faster.
    auto const per_byte = std::max(best(1), found.data.position(0) * best(0));
    fit_result<max_rate> result;
    result.model = {seconds{best(2)}, rate{reciprocal_of(per_byte)}, rate{reciprocal_of(best(0))}};
    result.parameters = {found.parameter({"alpha", "s"}, 2), found.rate_parameter({"R_C", "B/s"}, 1, found.all_above),
                         found.rate_parameter({"R_N", "B/s"}, 0, found.all_below),
                         found.breakpoint_parameter({"k_sat", ""})};
    result.residual_rms = found.rms();
    result.condition_number = found.least_squares().condition_number();
    result.note = max_rate_note(found);
    return finish(std::move(result), points);
}

namespace {

/// Parameters (u, v, w) are (1 / B_r, C / B_r, T_l), in which (5) and (4') are linear, and the breakpoint is C.
two_phase_data two_phase_data_of(std::vector<tools::model_point<multi_ping_pong>> points, latency_form form) {
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
parameter_estimate latency_parameter(two_phase_fit const& fit) {
    parameter_id const id{"T_l", "s"};
    if (fit.all_above) return undetermined(id, fit.best.values(2));
    auto const p = fit.parameter(id, 2);
    auto const sizes = fit.data.position.array();
    bool const two_below = (sizes > sizes(0) && sizes < fit.region.breakpoint.low).any();
    return two_below || p.status != parameter_status::determined ? p : upper_bound(id, p.high);
}

/// Condition number for the parameters (C, B_r, T_l).
double condition_number(two_phase_fit const& fit) {
    auto const c = fit.best.breakpoint(), u = fit.best.values(0);
    if (!(u > 0)) return unlimited;
    Eigen::Matrix3d const derivative{{-c / u, 1 / u, 0}, {-1 / (u * u), 0, 0}, {0, 0, 1}};
    return fit.least_squares()
        .reparameterized(Eigen::Vector3d{c, 1 / u, fit.best.values(2)}, derivative)
        .condition_number();
}

/// True if neighboring residuals are so similar that the probability of noise is less than 1 in 1,000 (von Neumann's
/// ratio).
bool are_correlated(Eigen::VectorXd const& residuals) {
    auto const n = residuals.size();
    auto const ratio = (residuals.tail(n - 1) - residuals.head(n - 1)).squaredNorm() / residuals.squaredNorm();
    return std::sqrt(static_cast<double>(n)) * (1 - ratio / 2) > 3.09;
}

std::string one_sided_note(two_phase_fit const& fit, latency_form form) {
    if (!(fit.region.parameters[0].low > 0)) return "times hardly grow with the size: B_r is only bounded";
    if (fit.all_above && fit.all_below) return "all sizes may be below C, or all above it and B_r twice as large";
    if (fit.all_above)
        return std::string{"no size is clearly below C: besides B_r only C / (2 B_r) - T_l"} +
               (form == latency_form::published ? "" : " / 2") + " is determined";
    return fit.all_below ? "no size is clearly above C" : "";
}

std::string multi_ping_pong_note(two_phase_fit const& fit, latency_form form) {
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

} // namespace

fit_result<multi_ping_pong> fit(std::vector<tools::model_point<multi_ping_pong>> const& points, latency_form form) {
    two_phase_fit const found{two_phase_data_of(points, form)};
    auto const& best = found.best;
    fit_result<multi_ping_pong> result;
    result.model = {bytes{best.breakpoint()}, rate{reciprocal_of(best.values(0))}, seconds{best.values(2)}, form};
    parameter_id const chunk{"C", "B"};
    // If all sizes may be below C and all may be above it, B_r is known only up to a factor of two.
    auto const one_sided = found.all_above && found.all_below;
    result.parameters = {found.all_above ? undetermined(chunk, best.breakpoint()) : found.breakpoint_parameter(chunk),
                         found.rate_parameter({"B_r", "B/s"}, 0, one_sided), latency_parameter(found)};
    result.residual_rms = found.rms();
    result.condition_number = condition_number(found);
    result.note = multi_ping_pong_note(found, form);
    return finish(std::move(result), points);
}

} // namespace tools::regression
