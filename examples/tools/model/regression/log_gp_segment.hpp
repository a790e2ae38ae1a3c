// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/regression/fit_result.hpp"
#include "tools/model/regression/least_squares.hpp"

#include <sonde/model.hpp>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Fit of the LogGP model to one range of message sizes.

namespace tools::regression {

using log_gp_points = std::span<tools::model_point<log_gp> const>; // in ascending order of size

/// Values as a function of s - 1, computed from the difference of two times: T(n) - T(1) = (n - 1) (value + offset).
/// Their errors are relative to these times, not to the values.
struct difference_data {
    Eigen::MatrixXd rows;
    Eigen::VectorXd values;
    Eigen::VectorXd single;   // T(1) of a fitted line, or as measured if the line is not positive everywhere
    Eigen::VectorXd messages; // n - 1
    Eigen::VectorXd offset;   // wait between messages, or 0

    difference_data(log_gp_points points, seconds tools::model_point<log_gp>::*single_time,
                    seconds (tools::model_point<log_gp>::*value)() const, bool waits)
        : rows{line_matrix(points, 1)}, values{vector_of(points, [&](auto const& p) { return (p.*value)().count(); })},
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
    /// Weighted least squares with some columns of the design matrix, with the weights of `least_squares`.
    least_squares_result fit(Eigen::MatrixXd const& columns) const {
        auto found = fit_weighted(columns, values, scale(values));
        for (int i = 0; i != 2; ++i) found = fit_weighted(columns, values, scale(columns * found.values));
        return found;
    }
};

struct uncertain_value {
    double value;
    double standard_error;
};

/// Value at `size` of a line in s - 1.
inline uncertain_value value_at(least_squares_result const& line, bytes size) {
    Eigen::Vector2d const gradient{1, size.count() - 1};
    return {line.values.dot(gradient), line.standard_error(gradient)};
}

inline uncertain_value slope_of(least_squares_result const& line) {
    return {line.values(1), line.standard_error(Eigen::Index{1})};
}

/// The interval between messages.
inline non_negative_line interval_line(log_gp_points points) {
    difference_data const data{points, &tools::model_point<log_gp>::prtt_1, &tools::model_point<log_gp>::interval,
                               false};
    return {data.rows, [&](Eigen::MatrixXd const& columns) { return data.fit(columns); }};
}

/// An overhead: a line if its slope is significant at a level of 0.1 %, otherwise one value for all sizes, with a slope
/// of exactly 0.
inline least_squares_result overhead_line(log_gp_points points, seconds tools::model_point<log_gp>::*single,
                                          seconds (tools::model_point<log_gp>::*overhead)() const) {
    difference_data const data{points, single, overhead, true};
    auto line = data.fit(data.rows);
    auto const [slope, error] = slope_of(line);
    bool const sloped = line.full_rank && std::fabs(slope) > student_quantile(line.degrees_of_freedom, 0.9995) * error;
    return sloped ? line : as_line(data.fit(data.rows.col(0)), 0);
}

/// The lines of one segment. From `first` on, at the largest sizes, the network limits the interval and not a
/// processor. Only at these sizes the interval is g + (s - 1) G.
struct log_gp_segment {
    log_gp_points points;
    least_squares_result send;
    least_squares_result receive;
    non_negative_line interval; // of the points from `first` on
    std::size_t first = 0;      // number of points that are limited by a processor
    bool network_limits = true; // false if there are too few points from `first` on; `first` is 0 then

    explicit log_gp_segment(log_gp_points ordered)
        : points{ordered},
          send{overhead_line(points, &tools::model_point<log_gp>::prtt_1, &tools::model_point<log_gp>::send_overhead)},
          receive{overhead_line(points, &tools::model_point<log_gp>::receive_1,
                                &tools::model_point<log_gp>::receive_overhead)},
          interval{interval_line(points)} {
        // Points that a processor limits are not on the line of the network. The line changes when they are removed.
        constexpr std::size_t least_points = 3;
        for (auto n = processor_limited(); network_limits && n > first; n = processor_limited()) {
            network_limits = n + least_points <= points.size();
            first = network_limits ? n : 0;
            interval = interval_line(points.subspan(first));
        }
    }

    tools::model_point<log_gp> const& smallest() const { return points.front(); }
    /// Half of PRTT(1, 0, s) of the smallest size.
    seconds half_round_trip() const { return smallest().prtt_1 / 2; }
    /// The processor with the larger overhead.
    std::string bottleneck() const {
        auto const size = smallest().size;
        return value_at(send, size).value < value_at(receive, size).value ? "receiver" : "sender";
    }
    /// Number of points whose wait is shorter than the interval. At such points the interval hides the wait.
    std::size_t short_waits() const {
        auto const is_short = [](auto const& p) { return p.wait < p.interval(); };
        return static_cast<std::size_t>(std::count_if(points.begin(), points.end(), is_short));
    }

private:
    /// Number of points below the sizes at which the network is the limit, according to the current line; all points if
    /// there are no such sizes. Where the network is the limit, the interval is longer than both overheads by 1 % and
    /// by two standard errors.
    std::size_t processor_limited() const {
        auto const by_network = [&](auto const& p) {
            auto const q = value_at(interval.free, p.size);
            auto const longer_than = [&](uncertain_value o) {
                return q.value - 1.01 * o.value > 2 * std::hypot(q.standard_error, o.standard_error);
            };
            return longer_than(value_at(send, p.size)) && longer_than(value_at(receive, p.size));
        };
        auto const begin = std::find_if(points.begin(), points.end(), by_network);
        auto const first_of_network = static_cast<std::size_t>(begin - points.begin());
        return std::all_of(begin, points.end(), by_network) ? first_of_network : points.size();
    }
};

/// Estimate of a value; only its upper bound unless the value is `known`.
inline parameter_estimate estimate(parameter_id id, uncertain_value at, double degrees_of_freedom, bool known) {
    auto const p = linear_parameter(id, at.value, at.standard_error, degrees_of_freedom);
    return known || p.status != parameter_status::determined ? p : upper_bound(std::move(id), p.high);
}

/// L and the overheads are parts of half a round trip, which limits their upper bounds.
inline parameter_estimate limited_to(seconds half_round_trip, parameter_estimate p) {
    if (p.status == parameter_status::upper_bound) p.value = p.high = std::min(p.high, half_round_trip.count());
    return p;
}

/// Append g and G. If a processor limits the interval, the interval of the smallest size is an upper bound of g, and
/// the interval of the largest size is an upper bound of (s - 1) G.
inline void append_gap(std::vector<parameter_estimate>& all, log_gp_segment const& s) {
    auto const& line = s.interval.free;
    auto const known = s.network_limits;
    auto const gap = value_at(line, known ? bytes{1} : s.smallest().size);
    auto per_byte = slope_of(line);
    if (!known) {
        auto const largest = value_at(line, s.points.back().size);
        auto const further = s.points.back().size.count() - 1;
        per_byte = {largest.value / further, largest.standard_error / further};
    }
    all.push_back(estimate({"g", "s"}, gap, line.degrees_of_freedom, known));
    all.push_back(estimate({"G", "s/B"}, per_byte, line.degrees_of_freedom, known));
}

/// Append an overhead at the smallest size, and its growth per byte if it changes with the size.
inline void append_overhead(std::vector<parameter_estimate>& all, log_gp_segment const& s, std::string const& name,
                            least_squares_result const& line) {
    auto const freedom = line.degrees_of_freedom;
    auto const known = s.short_waits() == 0;
    auto const at_smallest = estimate({name, "s"}, value_at(line, s.smallest().size), freedom, known);
    all.push_back(limited_to(s.half_round_trip(), at_smallest));
    if (line.values(1) != 0) all.push_back(estimate({name + " per byte", "s/B"}, slope_of(line), freedom, known));
}

/// L at the smallest size: PRTT(1, 0, s) / 2 - o_s - o_r - (s - 1) G, without G where it is not known.
inline uncertain_value latency_at_smallest(log_gp_segment const& s) {
    auto const size = s.smallest().size;
    auto const round_trip =
        least_squares(line_matrix(s.points, 1), vector_of(s.points, [](auto const& p) { return p.prtt_1.count(); }));
    auto const sent = value_at(s.send, size), received = value_at(s.receive, size);
    auto const half = s.half_round_trip().count();
    auto const further = s.network_limits ? size.count() - 1 : 0;
    auto const wire_error = further == 0 ? 0 : further * slope_of(s.interval.free).standard_error;
    auto const half_error = half * std::max(round_trip.rms, rounding_residual);
    return {half - sent.value - received.value - further * s.interval.constrained.values(1),
            std::hypot(std::hypot(half_error, wire_error), std::hypot(sent.standard_error, received.standard_error))};
}

/// Sum of squared relative residuals of PRTT(1, 0, s).
inline double squares_of_single(log_gp const& model, log_gp_points points) {
    return sum_of_squares(points, [&](auto const& p) { return 2 * model.time(p.size) / p.prtt_1 - 1; });
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
            .send_overhead = non_negative(value_at(s.send, size).value),
            .receive_overhead = non_negative(value_at(s.receive, size).value),
            .gap = non_negative(s.interval.constrained.values(0)),
            .gap_per_byte = non_negative(s.interval.constrained.values(1)),
            .send_overhead_per_byte = non_negative(s.send.values(1)),
            .receive_overhead_per_byte = non_negative(s.receive.values(1)),
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
        s.half_round_trip(), estimate(id, latency_at_smallest(s), s.interval.free.degrees_of_freedom, wire_known));
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

/// All parameters of a segment. If all parameters are determined, the residuals are those of the times of one message
/// and of n messages, without the message back. Otherwise they are the residuals of the interval.
inline log_gp_segment_result result_of(log_gp_segment const& s) {
    log_gp_segment_result result{.model = model_of(s), .note = limits_note(s)};
    auto const& model = result.model;
    auto& all = result.parameters;
    append_overhead(all, s, "o_s", s.send);
    append_overhead(all, s, "o_r", s.receive);
    all.insert(all.begin(), latency_parameter(s, all_determined(all), model, result.note));
    append_gap(all, s);
    result.degrees_of_freedom = s.interval.free.degrees_of_freedom;
    result.squares = s.interval.free.rms * s.interval.free.rms * result.degrees_of_freedom;
    if (all_determined(all)) {
        result.squares = squares_of_single(model, s.points) + sum_of_squares(s.points, [&](auto const& p) {
                             return model.time(p.size, p.messages) / (p.prtt_n - p.prtt_1 / 2) - 1;
                         });
        result.degrees_of_freedom = 2 * static_cast<double>(s.points.size()) - 3; // L, g, G
    }
    return result;
}

} // namespace tools::regression
