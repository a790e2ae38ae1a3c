// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model.hpp>
#include <sonde/model/fit/result.hpp>

#include <vector>

namespace sonde::inline v0_1::model {

/// Fits L, o_s, o_r, g and G for each range of sizes that the data show (Hoefler, Lichei, Rehm, IPDPS 2007).
///
/// "g" (s), "G" (s/B): the line of (PRTT(n, 0, s) - PRTT(1, 0, s)) / (n - 1) as a function of s - 1, with breakpoints
/// by segmented regression (`find_segments`). Sizes whose interval is not longer than an overhead are excluded; if too
/// few sizes are left, g and G are upper bounds. "o_s", "o_r" (s): (PRTT(n, d, s) - PRTT(1, 0, s)) / (n - 1) - d, and
/// the same for the receiver, at the smallest size of the range. If the overheads change with the size, "o_s per byte"
/// and "o_r per byte" (s/B) are their growth. "L" (s): the latency at the smallest size. It is an upper bound if an
/// overhead is not determined, or if o_s + (s - 1) G + L + o_r differs from half of PRTT(1, 0, s) at other sizes. After
/// the first range, "breakpoint" (B) is the smallest size.
///
/// Sizes with a time that is an isolated outlier are left out and listed in the note. residual_rms covers the times of
/// one message and of n messages in ranges with all parameters determined. In other ranges it covers the interval,
/// relative to the measured times. Throws fit_error for fewer than three or more than 2000 sizes, for a size below one
/// byte, for a series of one message, for a series that takes no longer than its first message, and for an invalid
/// point.
[[nodiscard]] fit_result<piecewise_log_gp> fit(std::vector<piecewise_log_gp::point> const& points);

} // namespace sonde::model

#if SONDE_DEFINITIONS
#include <sonde/model/fit/log_gp_segment.hpp>
#include <sonde/model/fit/outliers.hpp>
#include <sonde/model/fit/segmented_regression.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace sonde::inline v0_1::model {

namespace detail {

/// Points in ascending order of size. Throws fit_error for an invalid point and for too few or too many sizes.
inline std::vector<log_gp::point> in_order(std::vector<log_gp::point> points) {
    for (auto const& p : points) {
        for (auto const t : {p.prtt_1, p.prtt_n, p.prtt_nd, p.wait, p.receive_1, p.receive_n})
            validate_point("LogGP", p.size, t, "messages", p.messages);
        if (p.size < bytes{1}) throw fit_error{"LogGP: a message of " + text_of(p.size) + "; it needs a byte at least"};
        if (p.messages < 2) throw fit_error{"LogGP: a series of one message of " + text_of(p.size)};
    }
    auto const sizes = sort_by_size(points);
    auto const found = "LogGP: " + std::to_string(sizes) + " sizes; ";
    if (sizes < 3) throw fit_error{found + "it needs three at least"};
    if (sizes > most_sizes) throw fit_error{found + "at most " + std::to_string(most_sizes)};
    return points;
}

/// Throws fit_error if a series takes no longer than its first message alone.
inline void validate_series(piecewise_log_gp::point const& p) {
    auto const validate = [&](char const* how, seconds series, seconds single) {
        if (!(series > single))
            throw fit_error{"LogGP: at " + text_of(p.size) + " " + sonde::detail::text_of(p.messages) + " messages " +
                            how + " take " + text_of(series) + ", and one " + text_of(single)};
    };
    validate("in a row", p.prtt_n, p.prtt_1);
    validate("with a wait between them", p.prtt_nd, p.prtt_1);
    validate("received with a wait between them", p.receive_n, p.receive_1);
}

inline segment_costs interval_costs(log_gp_points points) {
    std::vector<regression_point> all;
    for (auto const& p : points) {
        auto const magnification = std::hypot(p.prtt_n.count(), p.prtt_1.count()) / (p.prtt_n - p.prtt_1).count();
        all.push_back({p.size.count(), p.interval().count(), rounding_residual * magnification});
    }
    return segment_costs{std::move(all)};
}

/// True if the interval lines of two segments intersect between them, as they do where the network becomes the limit
/// within one protocol.
inline bool intersect(log_gp_segment const& left, log_gp_segment const& right) {
    auto const difference = [&](bytes size) {
        auto const l = value_at(left.interval.free, size), r = value_at(right.interval.free, size);
        return uncertain_value{r.value - l.value, 2 * std::hypot(l.standard_error, r.standard_error) + 0.01 * l.value};
    };
    auto const before = difference(left.points.back().size), after = difference(right.points.front().size);
    return before.value <= before.standard_error && after.value >= -after.standard_error;
}

/// Segments of the interval between messages, without breakpoints within one protocol. A breakpoint within a protocol
/// changes only the limit of the interval: a processor for small messages, the network for large messages.
inline segment_boundaries find_protocols(std::vector<log_gp::point> const& points, segment_costs const& costs) {
    auto b = find_segments(costs);
    auto const segment = [&](std::size_t k, std::size_t end) {
        return log_gp_segment{costs.slice(points, b[k], b[end])};
    };
    auto const is_same_protocol = [&](std::size_t k) {
        auto const left = segment(k - 1, k);
        if (left.network_limits) return false;
        auto const right = segment(k, k + 1);
        return right.network_limits && intersect(left, right) && segment(k - 1, k + 1).network_limits;
    };
    for (std::size_t k = 1; k + 1 < b.size();)
        if (is_same_protocol(k)) b.erase(b.begin() + static_cast<std::ptrdiff_t>(k));
        else ++k;
    return b;
}

} // namespace detail

SONDE_INLINE fit_result<piecewise_log_gp> fit(std::vector<piecewise_log_gp::point> const& points) {
    auto ordered = detail::in_order(points);
    using point = piecewise_log_gp::point;
    auto const launches = detail::launch_note(ordered, &point::prtt_1);
    auto const outliers = detail::remove_outliers(
        ordered, {&point::prtt_1, &point::prtt_n, &point::prtt_nd, &point::receive_1, &point::receive_n},
        [](auto const& repetitions) { return *std::min_element(repetitions.begin(), repetitions.end()); });
    std::for_each(ordered.begin(), ordered.end(), detail::validate_series);
    auto const costs = detail::interval_costs(ordered);
    auto const boundaries = detail::find_protocols(ordered, costs);
    fit_result<piecewise_log_gp> result;
    double squares = 0, freedom = 0;
    for (std::size_t k = 0; k + 1 != boundaries.size(); ++k) {
        detail::log_gp_segment const segment{costs.slice(ordered, boundaries[k], boundaries[k + 1])};
        auto found = detail::result_of(segment);
        if (k != 0) result.parameters.push_back(breakpoint_estimate(costs, boundaries, k));
        for (auto& p : found.parameters) {
            p.segment = k;
            result.parameters.push_back(std::move(p));
        }
        result.model.segments.push_back({segment.smallest().size, found.model});
        result.condition_number = std::max(result.condition_number, segment.interval.free.condition_number());
        detail::append_note(result.note, found.note);
        squares += found.squares;
        freedom += found.degrees_of_freedom;
    }
    result.residual_rms = std::sqrt(squares / freedom);
    detail::append_note(result.note,
                        detail::outlier_note(outliers, [](auto const& p) { return detail::text_of(p.size); }));
    detail::append_note(result.note, launches);
    return detail::finish(std::move(result), ordered);
}

} // namespace sonde::model

#endif
