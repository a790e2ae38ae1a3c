// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/estimate.hpp>
#include <sonde/model/fit/least_squares.hpp>
#include <sonde/model/log_gp.hpp>

#include <Eigen/Dense>
#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace sonde::model::detail {

using round_trip_points = std::vector<piecewise_log_gp::point>; // in the order of sizes

/// What f makes of each point.
template <class F>
Eigen::VectorXd each(round_trip_points const& points, F f) {
    Eigen::VectorXd all(static_cast<Eigen::Index>(points.size()));
    for (std::size_t i = 0; i != points.size(); ++i) all(static_cast<Eigen::Index>(i)) = f(points[i]);
    return all;
}

/// 1 and s - 1: at one byte a line is its first parameter.
inline Eigen::MatrixXd rows_of(round_trip_points const& points) {
    Eigen::MatrixXd rows(static_cast<Eigen::Index>(points.size()), 2);
    rows << Eigen::VectorXd::Ones(rows.rows()), each(points, [](auto const& p) { return p.size.count() - 1; });
    return rows;
}

/// The times on the line that fits them, or as measured where that is not positive.
inline Eigen::VectorXd smooth(Eigen::MatrixXd const& rows, Eigen::VectorXd const& measured) {
    Eigen::VectorXd const line = rows * least_squares(rows, measured).values;
    return line.minCoeff() > 0 ? line : measured;
}

/// Steps are found as the difference of two times, over their number: what they err by is relative to these times.
struct step_errors {
    Eigen::VectorXd brief;     // the time without the steps
    Eigen::VectorXd number;    // of steps
    Eigen::VectorXd longer_by; // each step than what is fitted

    Eigen::VectorXd scale(Eigen::VectorXd const& step) const {
        Eigen::VectorXd const whole = brief + number.cwiseProduct(step + longer_by);
        return (brief.array().square() + whole.array().square()).sqrt() / number.array();
    }
};

/// Fits steps: relative to the times first as measured, then twice as the fit has them, or noise would weigh itself.
inline estimate fit_steps(Eigen::MatrixXd const& rows, Eigen::VectorXd const& steps, step_errors const& errors) {
    auto const first = solved(rows, steps, errors.scale(steps));
    auto const second = solved(rows, steps, errors.scale(rows * first));
    return weighted(rows, steps, errors.scale(rows * second));
}

inline Eigen::VectorXd further_messages(round_trip_points const& points) {
    return each(points, [](auto const& p) { return p.messages - 1; });
}

/// A value on a line, and its standard deviation.
struct on_line {
    double value;
    double deviation;
};

inline on_line at_size(estimate const& line, bytes size) {
    Eigen::VectorXd const gradient = Eigen::Vector2d{1, size.count() - 1};
    return {line.values.dot(gradient), line.deviation(gradient)};
}

/// The interval of messages by s - 1: as the data have it, and the best that falls nowhere below zero nor with size.
struct interval_fit {
    estimate line;
    Eigen::Vector2d possible; // g and G of a model
};

inline interval_fit interval_line(round_trip_points const& points) {
    auto const rows = rows_of(points);
    auto const one = smooth(rows, each(points, [](auto const& p) { return p.one.count(); }));
    auto const steps = each(points, [](auto const& p) { return p.interval().count(); });
    step_errors const errors{one, further_messages(points), Eigen::VectorXd::Zero(rows.rows())};
    auto const line = fit_steps(rows, steps, errors);
    if (line.values(1) < 0) return {line, {fit_steps(rows.col(0), steps, errors).values(0), 0}};
    if (line.values(0) < 0) return {line, {0, fit_steps(rows.col(1), steps, errors).values(0)}};
    return {line, line.values};
}

/// Does a line change with the size, in all but 0.1 % of cases in which noise alone would look so?
inline bool is_sloped(estimate const& line) {
    if (!line.full_rank) return false;
    boost::math::students_t const t{line.freedom};
    return std::fabs(line.values(1)) > boost::math::quantile(t, 0.9995) * line.deviation(Eigen::Index{1});
}

/// An overhead: as a line by s - 1, and as one value for all sizes.
struct overhead_fit {
    estimate line;
    estimate typical;
    bool sloped = is_sloped(line); // else the value is enough

    double freedom() const { return sloped ? line.freedom : typical.freedom; }
    on_line at(bytes size) const {
        if (sloped) return at_size(line, size);
        return {typical.values(0), typical.deviation(Eigen::Index{0})};
    }
    on_line per_byte() const {
        return sloped ? on_line{line.values(1), line.deviation(Eigen::Index{1})} : on_line{0, 0};
    }
};

inline overhead_fit fit_overhead(round_trip_points const& points, seconds piecewise_log_gp::point::*without,
                                 seconds (piecewise_log_gp::point::*overhead)() const) {
    auto const rows = rows_of(points);
    auto const brief = smooth(rows, each(points, [&](auto const& p) { return (p.*without).count(); }));
    auto const values = each(points, [&](auto const& p) { return (p.*overhead)().count(); });
    auto const waits = each(points, [](auto const& p) { return p.wait.count(); });
    step_errors const errors{brief, further_messages(points), waits};
    return {fit_steps(rows, values, errors), fit_steps(rows.leftCols(1), values, errors)};
}

} // namespace sonde::model::detail
