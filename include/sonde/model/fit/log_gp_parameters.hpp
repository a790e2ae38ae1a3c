// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/bound.hpp>
#include <sonde/model/fit/interval.hpp>
#include <sonde/model/fit/log_gp_limits.hpp>
#include <sonde/model/fit/result.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sonde::model::detail {

/// A parameter of which no more than an upper bound is known, where even that is.
inline parameter no_more_than(label as, on_line at, double freedom) {
    auto const bound = at.value + student_quantile(freedom) * at.deviation;
    return std::isfinite(bound) && bound > 0 ? at_most(std::move(as), bound) : unknown(std::move(as), at.value);
}

/// L and the overheads are parts of half a round trip: what is only bounded is not longer than that.
inline parameter part_of(seconds half, parameter p) {
    if (p.stands == standing::upper_bound) p.value = p.high = std::min(p.high, half.count());
    return p;
}

/// g. Where a processor limits the interval, it is not longer than that of the smallest size.
inline parameter gap_of(segment_fit const& fit, std::size_t segment) {
    label const as{"g", "s", segment};
    auto const& line = fit.interval.line;
    if (!fit.network_limits) return no_more_than(as, at_size(line, fit.smallest().size), line.freedom);
    return linear_parameter(as, line.values(0), line.deviation(Eigen::Index{0}), line.freedom);
}

/// G. Where a processor limits the interval, (s - 1) G is not longer than that of the largest size.
inline parameter gap_per_byte_of(segment_fit const& fit, std::size_t segment) {
    label const as{"G", "s/B", segment};
    auto const& line = fit.interval.line;
    if (fit.network_limits) return linear_parameter(as, line.values(1), line.deviation(Eigen::Index{1}), line.freedom);
    auto const largest = fit.points.back().size;
    auto const q = at_size(line, largest);
    auto const bytes_after_first = largest.count() - 1;
    return no_more_than(as, {q.value / bytes_after_first, q.deviation / bytes_after_first}, line.freedom);
}

/// An overhead at the segment's smallest size, and, where it changes with the size, "o_s per byte".
inline std::vector<parameter> overhead_of(segment_fit const& fit, char const* name, overhead_fit const& of,
                                          std::size_t segment) {
    auto const [value, deviation] = of.at(fit.smallest().size);
    auto const known = fit.waits_too_short() == 0;
    label const as{name, "s", segment};
    auto const at = known ? linear_parameter(as, value, deviation, of.freedom())
                          : no_more_than(as, {value, deviation}, of.freedom());
    std::vector<parameter> all{part_of(fit.smallest().one / 2, at)};
    if (!of.sloped) return all;
    label const per_byte{std::string{name} + " per byte", "s/B", segment};
    auto const slope = of.per_byte();
    all.push_back(known ? linear_parameter(per_byte, slope.value, slope.deviation, of.freedom())
                        : no_more_than(per_byte, slope, of.freedom()));
    return all;
}

/// L at the smallest size: PRTT(1, 0, s) / 2 - o_s - o_r - (s - 1) G; without G where that is not known.
inline on_line latency_at_smallest(segment_fit const& fit) {
    auto const& p = fit.smallest();
    auto const trip = least_squares(rows_of(fit.points), each(fit.points, [](auto const& q) { return q.one.count(); }));
    auto const sent = fit.send.at(p.size), received = fit.receive.at(p.size);
    auto const half = p.one.count() / 2;
    auto const further = fit.network_limits ? p.size.count() - 1 : 0;
    auto const spread = further == 0 ? 0 : further * fit.interval.line.deviation(Eigen::Index{1});
    auto const noise = half * std::max(trip.rms, rounding_residual);
    return {half - sent.value - received.value - further * fit.interval.possible(1),
            std::hypot(std::hypot(noise, spread), std::hypot(sent.deviation, received.deviation))};
}

/// L, of what else is known: of half a round trip, it is not more than what parts that are known leave.
inline parameter latency_of(segment_fit const& fit, std::size_t segment, bool overheads_known) {
    label const as{"L", "s", segment};
    auto const half = fit.smallest().one / 2;
    if (!overheads_known) return at_most(as, half.count());
    auto const at = latency_at_smallest(fit);
    auto const freedom = fit.interval.line.freedom;
    auto const wire_known = fit.network_limits || fit.smallest().size <= bytes{1};
    return part_of(half,
                   wire_known ? linear_parameter(as, at.value, at.deviation, freedom) : no_more_than(as, at, freedom));
}

} // namespace sonde::model::detail
