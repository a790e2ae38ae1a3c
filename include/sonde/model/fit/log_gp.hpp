// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/log_gp_breaks.hpp>
#include <sonde/model/fit/log_gp_limits.hpp>
#include <sonde/model/fit/log_gp_notes.hpp>
#include <sonde/model/fit/log_gp_parameters.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/log_gp.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sonde::model {

namespace detail {

inline void refuse(piecewise_log_gp::point const& p) {
    auto const positive = [](double x) { return x > 0 && std::isfinite(x); };
    if (!(p.size >= bytes{1})) throw cannot_fit{"LogGP: a message has a byte at least"};
    if (!(p.messages >= 2) || !std::isfinite(p.messages))
        throw cannot_fit{"LogGP: a series needs two messages at least"};
    for (auto const t : {p.wait, p.one, p.many, p.spaced, p.received_one, p.received_many})
        if (!positive(t.count())) throw cannot_fit{"LogGP: a time that is not positive, or not finite"};
}

/// The points in the order of sizes. Throws cannot_fit where no line can be drawn.
inline round_trip_points in_order(round_trip_points points) {
    std::for_each(points.begin(), points.end(), refuse);
    auto const smaller = [](auto const& a, auto const& b) { return a.size < b.size; };
    std::stable_sort(points.begin(), points.end(), smaller);
    std::size_t sizes = points.empty() ? 0 : 1;
    for (std::size_t i = 1; i < points.size(); ++i) sizes += smaller(points[i - 1], points[i]) ? 1 : 0;
    if (sizes < 3) throw cannot_fit{"LogGP: needs three sizes at least"};
    return points;
}

inline parameter break_at(bytes last_before, bytes from, std::size_t segment) {
    return {"break", "B", from.count(), last_before.count(), from.count(), standing::determined, segment};
}

/// Adds a segment to what was found.
inline void add(fitted<piecewise_log_gp>& found, segment_fit const& fit) {
    auto const i = found.model.segments.size();
    auto const latency = latency_at_smallest(fit);
    found.model.segments.push_back(
        {fit.points.front().size,
         {seconds{latency.value}, seconds{fit.send.typical.values(0)}, seconds{fit.receive.typical.values(0)},
          seconds{fit.interval.values(0)}, seconds{fit.interval.values(1)}}});
    if (i != 0) found.parameters.push_back(break_at(found.to, fit.points.front().size, i));
    auto const l = latency_of(fit, latency, i);
    for (auto const& p : {l, overhead_of(fit, "o_s", fit.send, i), overhead_of(fit, "o_r", fit.receive, i),
                          gap_of(fit, i), gap_per_byte_of(fit, i)})
        found.parameters.push_back(p);
    found.to = fit.points.back().size;
    found.points += fit.points.size();
    found.condition = std::max(found.condition, fit.interval.condition());
    note_of(fit, l, found.note);
}

} // namespace detail

/// Fits L, o_s, o_r, g and G for each range of sizes, the ranges found (Hoefler, Lichei, Rehm, IPDPS 2007).
///
/// g and G: the line of (PRTT(n, 0, s) - PRTT(1, 0, s)) / (n - 1) by s - 1, which breaks where its residuals grow for
/// four sizes in a row (`break_search`); sizes whose interval is not longer than an overhead are no part of it, and
/// where that leaves no line, g and G are upper bounds. o_s, o_r: one value for a range, of
/// (PRTT(n, d, s) - PRTT(1, 0, s)) / (n - 1) - d and its like at the receiver. L: at the smallest size of the range.
/// Errors are relative to the times that were measured, and so is residual_rms. Throws cannot_fit for fewer than three
/// sizes, a message of no byte, a series of one message, a time that is not positive.
inline fitted<piecewise_log_gp> fit(std::vector<piecewise_log_gp::point> const& points) {
    detail::break_search const found{detail::in_order(points)};
    fitted<piecewise_log_gp> result;
    double squares = 0, freedom = 0;
    for (auto const& segment : found.segments()) {
        auto const lines = detail::fit_segment(segment);
        detail::add(result, lines);
        squares += lines.interval.rms * lines.interval.rms * lines.interval.freedom;
        freedom += lines.interval.freedom;
    }
    result.from = found.segments().front().front().size;
    result.residual_rms = std::sqrt(squares / freedom);
    detail::note_outliers(found.outliers(), result.note);
    return result;
}

} // namespace sonde::model
