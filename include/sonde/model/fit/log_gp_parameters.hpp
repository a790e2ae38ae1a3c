// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/bound.hpp>
#include <sonde/model/fit/interval.hpp>
#include <sonde/model/fit/log_gp_limits.hpp>
#include <sonde/model/fit/result.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sonde::model::detail {

/// A parameter of which no more than an upper bound is known, where even that is.
inline parameter no_more_than(label as, on_line at, double freedom) {
    auto const bound = at.value + student_quantile(freedom) * at.deviation;
    return std::isfinite(bound) && bound > 0 ? at_most(std::move(as), bound) : unknown(std::move(as), at.value);
}

/// g. Where a processor limits the interval, it is not longer than that of the smallest size.
inline parameter gap_of(segment_fit const& fit, std::size_t segment) {
    label const as{"g", "s", segment};
    auto const& line = fit.interval;
    if (!fit.network_limits) return no_more_than(as, at_size(line, fit.points.front().size), line.freedom);
    return linear_parameter(as, line.values(0), line.deviation(Eigen::Index{0}), line.freedom);
}

/// G. Where a processor limits the interval, (s - 1) G is not longer than that of the largest size.
inline parameter gap_per_byte_of(segment_fit const& fit, std::size_t segment) {
    label const as{"G", "s/B", segment};
    auto const& line = fit.interval;
    if (fit.network_limits) return linear_parameter(as, line.values(1), line.deviation(Eigen::Index{1}), line.freedom);
    auto const largest = fit.points.back().size;
    auto const q = at_size(line, largest);
    auto const bytes_after_first = largest.count() - 1;
    return no_more_than(as, {q.value / bytes_after_first, q.deviation / bytes_after_first}, line.freedom);
}

/// So many points have a wait that is not longer than the interval, which then hides it.
inline std::size_t waits_too_short(segment_fit const& fit) {
    return static_cast<std::size_t>(
        std::count_if(fit.points.begin(), fit.points.end(), [](auto const& p) { return !(p.wait >= p.interval()); }));
}

inline parameter overhead_of(segment_fit const& fit, char const* name, overhead_fit const& of, std::size_t segment) {
    label const as{name, "s", segment};
    auto const& e = of.typical;
    auto const deviation = e.deviation(Eigen::Index{0});
    if (waits_too_short(fit) != 0) return no_more_than(as, {e.values(0), deviation}, e.freedom);
    return linear_parameter(as, e.values(0), deviation, e.freedom);
}

/// L at the smallest size: PRTT(1, 0, s) / 2 - o_s - o_r - (s - 1) G, with the overheads' lines.
inline on_line latency_at_smallest(segment_fit const& fit) {
    auto const& p = fit.points.front();
    auto const further = p.size.count() - 1;
    auto const trip = least_squares(rows_of(fit.points), each(fit.points, [](auto const& q) { return q.one.count(); }));
    auto const sent = at_size(fit.send.line, p.size), received = at_size(fit.receive.line, p.size);
    auto const half = p.one.count() / 2;
    auto const wire =
        further == 0 ? on_line{0, 0}
                     : on_line{further * fit.interval.values(1), further * fit.interval.deviation(Eigen::Index{1})};
    auto const noise = half * std::max(trip.rms, rounding_residual);
    return {half - sent.value - received.value - wire.value,
            std::hypot(std::hypot(noise, wire.deviation), std::hypot(sent.deviation, received.deviation))};
}

inline parameter latency_of(segment_fit const& fit, on_line at, std::size_t segment) {
    label const as{"L", "s", segment};
    auto const freedom = fit.interval.freedom;
    if (fit.network_limits || fit.points.front().size <= bytes{1})
        return linear_parameter(as, at.value, at.deviation, freedom);
    return no_more_than(as, at, freedom);
}

} // namespace sonde::model::detail
