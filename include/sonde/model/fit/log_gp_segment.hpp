// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/least_squares.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/log_gp.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// Fit of the LogGP model to one range of message sizes.

namespace sonde::model::detail {

using log_gp_points = std::vector<piecewise_log_gp::point>; // in ascending order of size

template <class F>
Eigen::VectorXd vector_of(log_gp_points const& points, F f) {
    Eigen::VectorXd v(static_cast<Eigen::Index>(points.size()));
    for (std::size_t i = 0; i != points.size(); ++i) v(static_cast<Eigen::Index>(i)) = f(points[i]);
    return v;
}

/// Design matrix (1, s - 1): the first parameter of a line is its value at one byte.
inline Eigen::MatrixXd design_matrix(log_gp_points const& points) {
    Eigen::MatrixXd rows(static_cast<Eigen::Index>(points.size()), 2);
    rows << Eigen::VectorXd::Ones(rows.rows()), vector_of(points, [](auto const& p) { return p.size.count() - 1; });
    return rows;
}

/// Values that are computed from the difference of two times, T(n) - T(1) = (n - 1) (value + offset), by s - 1. Their
/// errors are relative to these times, not to the values.
struct difference_data {
    Eigen::MatrixXd rows;
    Eigen::VectorXd values;
    Eigen::VectorXd single;   // T(1), of the line that fits it, or as measured if that is not positive everywhere
    Eigen::VectorXd messages; // n - 1
    Eigen::VectorXd offset;   // wait between messages, or 0

    difference_data(log_gp_points const& points, seconds log_gp::point::*single_time,
                    seconds (log_gp::point::*value)() const, bool waits)
        : rows{design_matrix(points)}, values{vector_of(points, [&](auto const& p) { return (p.*value)().count(); })},
          single{vector_of(points, [&](auto const& p) { return (p.*single_time).count(); })},
          messages{vector_of(points, [](auto const& p) { return p.messages - 1; })},
          offset{vector_of(points, [&](auto const& p) { return waits ? p.wait.count() : 0; })} {
        Eigen::VectorXd const line = rows * least_squares(rows, single).values;
        if (line.minCoeff() > 0) single = line;
    }
    Eigen::VectorXd scale(Eigen::VectorXd const& of) const {
        Eigen::VectorXd const series = single + messages.cwiseProduct(of + offset);
        return (single.array().square() + series.array().square()).sqrt() / messages.array();
    }
    /// Weighted least squares with some columns of the design matrix. The weights are those of the measured and then
    /// twice of the fitted values: otherwise noise would change them.
    least_squares_result fit(Eigen::MatrixXd const& columns) const {
        auto const first = solve_weighted(columns, values, scale(values));
        auto const second = solve_weighted(columns, values, scale(columns * first));
        return fit_weighted(columns, values, scale(columns * second));
    }
};

struct uncertain_value {
    double value;
    double standard_error;
};

inline uncertain_value value_at(least_squares_result const& line, bytes size) {
    Eigen::VectorXd const gradient = Eigen::Vector2d{1, size.count() - 1};
    return {line.values.dot(gradient), line.standard_error(gradient)};
}

inline uncertain_value coefficient(least_squares_result const& line, Eigen::Index i) {
    return {line.values(i), line.standard_error(i)};
}

/// Line of the interval between messages by s - 1.
struct interval_line {
    least_squares_result line;
    Eigen::Vector2d model; // g and G of the best line that is neither negative at one byte nor decreasing

    explicit interval_line(log_gp_points const& points) {
        difference_data const data{points, &log_gp::point::prtt_1, &log_gp::point::interval, false};
        line = data.fit(data.rows);
        model = line.values;
        if (line.values(1) < 0) model = {data.fit(data.rows.col(0)).values(0), 0};
        else if (line.values(0) < 0) model = {0, data.fit(data.rows.col(1)).values(0)};
    }
};

/// An overhead: a line by s - 1 if its slope is significant at a level of 0.1 %, otherwise one value for all sizes.
struct overhead_line {
    least_squares_result fit;
    bool sloped = false;

    overhead_line(log_gp_points const& points, seconds log_gp::point::*single,
                  seconds (log_gp::point::*overhead)() const) {
        difference_data const data{points, single, overhead, true};
        fit = data.fit(data.rows);
        sloped = fit.full_rank && std::fabs(fit.values(1)) > student_quantile(fit.degrees_of_freedom, 0.9995) *
                                                                 fit.standard_error(Eigen::Index{1});
        if (!sloped) fit = data.fit(data.rows.col(0));
    }
    uncertain_value at(bytes size) const { return sloped ? value_at(fit, size) : coefficient(fit, 0); }
    uncertain_value per_byte() const { return sloped ? coefficient(fit, 1) : uncertain_value{0, 0}; }
};

/// The lines of one segment. Its largest sizes, from `first` on, are those whose interval is limited by the network and
/// not by a processor; only there the interval is g + (s - 1) G.
struct log_gp_segment {
    log_gp_points points;
    overhead_line send;
    overhead_line receive;
    interval_line interval;     // of the points from `first` on
    std::size_t first = 0;      // number of points that are limited by a processor
    bool network_limits = true; // false if there are too few points from `first` on; `first` is 0 then

    explicit log_gp_segment(log_gp_points ordered)
        : points{std::move(ordered)}, send{points, &log_gp::point::prtt_1, &log_gp::point::send_overhead},
          receive{points, &log_gp::point::receive_1, &log_gp::point::receive_overhead}, interval{points} {
        // Points that a processor limits are not on the line of the network, which changes without them.
        constexpr std::size_t least_points = 3;
        for (auto n = processor_limited(); network_limits && n > first; n = processor_limited()) {
            network_limits = n + least_points <= points.size();
            first = network_limits ? n : 0;
            interval = interval_line{{points.begin() + static_cast<std::ptrdiff_t>(first), points.end()}};
        }
    }

    piecewise_log_gp::point const& smallest() const { return points.front(); }
    /// Half of PRTT(1, 0, s) of the smallest size.
    seconds half_round_trip() const { return smallest().prtt_1 / 2; }
    /// The processor with the larger overhead.
    std::string bottleneck() const {
        return send.at(smallest().size).value < receive.at(smallest().size).value ? "receiver" : "sender";
    }
    /// Number of points whose wait is shorter than the interval, which hides it.
    std::size_t short_waits() const {
        return static_cast<std::size_t>(
            std::count_if(points.begin(), points.end(), [](auto const& p) { return !(p.wait >= p.interval()); }));
    }

private:
    /// True if the interval is longer than both overheads by 1 % and by two standard errors.
    bool limited_by_network(bytes size) const {
        auto const q = value_at(interval.line, size);
        auto const longer_than = [&](uncertain_value o) {
            return q.value - 1.01 * o.value > 2 * std::hypot(q.standard_error, o.standard_error);
        };
        return longer_than(send.at(size)) && longer_than(receive.at(size));
    }
    /// Number of points below the sizes that the network limits, by the present line; all points if there are none.
    std::size_t processor_limited() const {
        auto const limited = [&](auto const& p) { return limited_by_network(p.size); };
        auto const begin = std::find_if(points.begin(), points.end(), limited);
        return std::all_of(begin, points.end(), limited) ? static_cast<std::size_t>(begin - points.begin())
                                                         : points.size();
    }
};

/// Estimate of a value, or, unless it is `known`, of its upper bound.
inline parameter_estimate estimate(parameter_id id, uncertain_value at, double degrees_of_freedom, bool known) {
    if (known) return linear_parameter(std::move(id), at.value, at.standard_error, degrees_of_freedom);
    auto const bound = at.value + student_quantile(degrees_of_freedom) * at.standard_error;
    return std::isfinite(bound) && bound > 0 ? upper_bound(std::move(id), bound)
                                             : undetermined(std::move(id), at.value);
}

/// L and the overheads are parts of half a round trip, which limits their upper bounds.
inline parameter_estimate limited_to(seconds half_round_trip, parameter_estimate p) {
    if (p.status == parameter_status::upper_bound) p.value = p.high = std::min(p.high, half_round_trip.count());
    return p;
}

/// g. If a processor limits the interval, the interval of the smallest size is an upper bound.
inline parameter_estimate gap_parameter(log_gp_segment const& s) {
    auto const& line = s.interval.line;
    return estimate({"g", "s"}, s.network_limits ? coefficient(line, 0) : value_at(line, s.smallest().size),
                    line.degrees_of_freedom, s.network_limits);
}

/// G. If a processor limits the interval, that of the largest size is an upper bound of (s - 1) G.
inline parameter_estimate gap_per_byte_parameter(log_gp_segment const& s) {
    auto const& line = s.interval.line;
    auto const q = value_at(line, s.points.back().size);
    auto const further = s.points.back().size.count() - 1;
    return estimate({"G", "s/B"},
                    s.network_limits ? coefficient(line, 1)
                                     : uncertain_value{q.value / further, q.standard_error / further},
                    line.degrees_of_freedom, s.network_limits);
}

/// An overhead at the smallest size, and its growth per byte if it changes with the size.
inline std::vector<parameter_estimate> overhead_parameters(log_gp_segment const& s, std::string const& name,
                                                           overhead_line const& overhead) {
    auto const freedom = overhead.fit.degrees_of_freedom;
    auto const known = s.short_waits() == 0;
    std::vector<parameter_estimate> all{
        limited_to(s.half_round_trip(), estimate({name, "s"}, overhead.at(s.smallest().size), freedom, known))};
    if (overhead.sloped) all.push_back(estimate({name + " per byte", "s/B"}, overhead.per_byte(), freedom, known));
    return all;
}

/// L at the smallest size: PRTT(1, 0, s) / 2 - o_s - o_r - (s - 1) G, without G where it is not known.
inline uncertain_value latency_at_smallest(log_gp_segment const& s) {
    auto const size = s.smallest().size;
    auto const round_trip =
        least_squares(design_matrix(s.points), vector_of(s.points, [](auto const& p) { return p.prtt_1.count(); }));
    auto const sent = s.send.at(size), received = s.receive.at(size);
    auto const half = s.half_round_trip().count();
    auto const further = s.network_limits ? size.count() - 1 : 0;
    auto const wire_error = further == 0 ? 0 : further * s.interval.line.standard_error(Eigen::Index{1});
    auto const half_error = half * std::max(round_trip.rms, rounding_residual);
    return {half - sent.value - received.value - further * s.interval.model(1),
            std::hypot(std::hypot(half_error, wire_error), std::hypot(sent.standard_error, received.standard_error))};
}

/// Sum of squared relative residuals of PRTT(1, 0, s).
inline double squares_of_single(log_gp const& model, log_gp_points const& points) {
    double sum = 0;
    for (auto const& p : points) sum += std::pow(2 * model.time(p.size) / p.prtt_1 - 1, 2);
    return sum;
}

/// Sum of squared relative residuals of n messages, without the message back.
inline double squares_of_series(log_gp const& model, log_gp_points const& points) {
    double sum = 0;
    for (auto const& p : points) sum += std::pow(model.time(p.size, p.messages) / (p.prtt_n - p.prtt_1 / 2) - 1, 2);
    return sum;
}

struct log_gp_segment_result {
    log_gp model{};
    std::vector<parameter_estimate> parameters{};
    double squares = 0; // of relative residuals
    double degrees_of_freedom = 0;
    std::string note{};
};

/// Model with all times at least 0.
inline log_gp model_of(log_gp_segment const& s) {
    auto const size = s.smallest().size;
    auto const non_negative = [](double t) { return seconds{std::max(0.0, t)}; };
    return {.latency = non_negative(latency_at_smallest(s).value),
            .send_overhead = non_negative(s.send.at(size).value),
            .receive_overhead = non_negative(s.receive.at(size).value),
            .gap = non_negative(s.interval.model(0)),
            .gap_per_byte = non_negative(s.interval.model(1)),
            .send_overhead_per_byte = non_negative(s.send.per_byte().value),
            .receive_overhead_per_byte = non_negative(s.receive.per_byte().value),
            .reference_size = size};
}

/// L, with a note if it is not determined. Half a round trip is an upper bound of L if an overhead is not known, or if
/// the parts of a message at other sizes do not add up to its time.
inline parameter_estimate latency_parameter(log_gp_segment const& s, bool overheads_known, log_gp const& model,
                                            std::string& note) {
    parameter_id const id{"L", "s"};
    auto const at_most_half = upper_bound(id, s.half_round_trip().count());
    auto const add_note = [&](std::string const& why) {
        append_note(note, why + "; half of PRTT(1, 0, s) at " + text_of(s.smallest().size) + ", " +
                              text_of(s.half_round_trip()) + ", contains L and both overheads");
    };
    if (!overheads_known) {
        add_note("L is not known without o_s and o_r");
        return at_most_half;
    }
    auto const wire_known = s.network_limits || s.smallest().size <= bytes{1};
    auto const latency = limited_to(
        s.half_round_trip(), estimate(id, latency_at_smallest(s), s.interval.line.degrees_of_freedom, wire_known));
    auto const n = static_cast<double>(s.points.size());
    if (latency.status == parameter_status::undetermined || latency.low <= 0) {
        add_note("L is not above 0 for certain: overheads may overlap with the network");
    } else if (s.network_limits && std::sqrt(squares_of_single(model, s.points) / n) > acceptable_residual) {
        add_note("PRTT(1, 0, s) does not grow as o_s + (s - 1) G + o_r: overheads overlap with the network");
        return at_most_half;
    }
    return latency;
}

/// Notes on the sizes whose interval a processor limits, and on waits that were too short.
inline std::string limits_note(log_gp_segment const& s) {
    std::string note;
    if (!s.network_limits)
        note = text_of(s.smallest().size) + " to " + text_of(s.points.back().size) + ": the " + s.bottleneck() +
               "'s overhead limits the message rate, so g and G are upper bounds";
    if (s.first != 0)
        note = "below " + text_of(s.points[s.first].size) + " the " + s.bottleneck() +
               "'s overhead limits the message rate: g and G are those of larger messages";
    if (auto const n = s.short_waits(); n != 0)
        append_note(note, "the wait was shorter than the interval at " + count_text(n, "size") +
                              ", so o_s and o_r are upper bounds");
    return note;
}

/// All parameters of a segment. The residuals are those of one message and of n messages if all parameters are
/// determined, otherwise those of the interval alone.
inline log_gp_segment_result result_of(log_gp_segment const& s) {
    log_gp_segment_result result{.model = model_of(s), .note = limits_note(s)};
    auto& all = result.parameters;
    all = overhead_parameters(s, "o_s", s.send);
    for (auto const& p : overhead_parameters(s, "o_r", s.receive)) all.push_back(p);
    all.insert(all.begin(), latency_parameter(s, all_determined(all), result.model, result.note));
    all.push_back(gap_parameter(s));
    all.push_back(gap_per_byte_parameter(s));
    if (all_determined(all)) {
        result.squares = squares_of_single(result.model, s.points) + squares_of_series(result.model, s.points);
        result.degrees_of_freedom = 2 * static_cast<double>(s.points.size()) - 3; // L, g, G
    } else {
        result.degrees_of_freedom = s.interval.line.degrees_of_freedom;
        result.squares = s.interval.line.rms * s.interval.line.rms * result.degrees_of_freedom;
    }
    return result;
}

} // namespace sonde::model::detail
