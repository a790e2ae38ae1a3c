// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/break_interval.hpp>
#include <sonde/model/fit/expect.hpp>
#include <sonde/model/fit/log_gp_outliers.hpp>
#include <sonde/model/fit/log_gp_result.hpp>
#include <sonde/model/fit/log_gp_segments.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/log_gp.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sonde::model {

namespace detail {

/// Throws where a series takes no longer than its first message alone.
inline void expect_longer(piecewise_log_gp::point const& p, char const* what, seconds series, seconds one) {
    if (series > one) return;
    throw cannot_fit{"LogGP: at " + text_of(p.size) + " " + sonde::detail::text_of(p.messages) + " messages " + what +
                     " take " + text_of(series) + ", and one " + text_of(one)};
}

inline void expect_round_trips(piecewise_log_gp::point const& p) {
    for (auto const t : {p.one, p.many, p.spaced, p.wait, p.received_one, p.received_many})
        expect_time("LogGP", p.size, t, {"messages", p.messages});
    if (p.size < bytes{1}) throw cannot_fit{"LogGP: a message of " + text_of(p.size) + "; it has a byte at least"};
    if (p.messages < 2) throw cannot_fit{"LogGP: a series of one message of " + text_of(p.size)};
}

inline void expect_series(piecewise_log_gp::point const& p) {
    expect_longer(p, "in a row", p.many, p.one);
    expect_longer(p, "with a wait between them", p.spaced, p.one);
    expect_longer(p, "received with a wait between them", p.received_many, p.received_one);
}

/// Throws where there is no line, and where there are too many to look at all ranges of them.
inline void expect_sizes(round_trip_points const& points) {
    constexpr std::size_t least = 3, most = 2000;
    std::size_t sizes = points.empty() ? 0 : 1;
    for (std::size_t i = 1; i < points.size(); ++i) sizes += points[i - 1].size < points[i].size ? 1 : 0;
    auto const words = "LogGP: " + std::to_string(sizes) + " sizes; ";
    if (sizes < least) throw cannot_fit{words + "it needs three at least"};
    if (sizes > most) throw cannot_fit{words + "at most " + std::to_string(most)};
}

inline round_trip_points in_order(round_trip_points points) {
    std::for_each(points.begin(), points.end(), expect_round_trips);
    std::stable_sort(points.begin(), points.end(), [](auto const& a, auto const& b) { return a.size < b.size; });
    expect_sizes(points);
    return points;
}

} // namespace detail

/// Fits L, o_s, o_r, g and G for each range of sizes, the ranges found (Hoefler, Lichei, Rehm, IPDPS 2007).
///
/// g and G: the line of (PRTT(n, 0, s) - PRTT(1, 0, s)) / (n - 1) by s - 1, which breaks as Hockney's does
/// (`segments_of`); sizes whose interval is not longer than an overhead are no part of it, and where that leaves no
/// line, g and G are upper bounds. o_s, o_r: of (PRTT(n, d, s) - PRTT(1, 0, s)) / (n - 1) - d and its like at the
/// receiver, at the smallest size of the range; where they change with the size, "o_s per byte" and "o_r per byte"
/// (s/B) tell by how much. L: at that size too; not more than bounded where an overhead is not determined, and where
/// o_s + (s - 1) G + L + o_r is not half of PRTT(1, 0, s) at other sizes. Sizes with a time far above those beside it
/// are left out. residual_rms is of T(s) and of n messages in a row, in ranges of which all is determined; in others of
/// the intervals, relative to the times that were measured. Throws cannot_fit for fewer than three sizes, a message of
/// no byte, a series of one message or that is not longer than one, what is not finite, a time that is not positive.
[[nodiscard]] inline fitted<piecewise_log_gp> fit(std::vector<piecewise_log_gp::point> const& points) {
    auto ordered = detail::in_order(points);
    auto const outliers = detail::take_outliers(ordered);
    std::for_each(ordered.begin(), ordered.end(), detail::expect_series);
    auto const costs = detail::interval_costs(ordered);
    auto const begins = detail::segments_by_protocol(ordered, costs);
    fitted<piecewise_log_gp> result;
    double squares = 0, freedom = 0;
    for (std::size_t k = 0; k != begins.size(); ++k) {
        auto const lines = detail::fit_segments(ordered, costs, begins, k, k + 1);
        auto const told = detail::result_of(lines, k);
        if (k != 0) result.parameters.push_back(break_parameter(costs, begins, k));
        result.parameters.insert(result.parameters.end(), told.parameters.begin(), told.parameters.end());
        result.model.segments.push_back({lines.smallest().size, told.model});
        result.condition = std::max(result.condition, lines.interval.line.condition());
        if (!told.note.empty()) detail::say(result.note, told.note);
        squares += told.squares;
        freedom += told.freedom;
    }
    result.residual_rms = std::sqrt(squares / freedom);
    result.from = ordered.front().size;
    result.to = ordered.back().size;
    result.points = ordered.size();
    detail::note_outliers(outliers, result.note);
    return settled(std::move(result));
}

} // namespace sonde::model
