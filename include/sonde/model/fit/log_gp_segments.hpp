// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/line_costs.hpp>
#include <sonde/model/fit/log_gp_limits.hpp>
#include <sonde/model/fit/segments.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace sonde::model::detail {

inline line_costs interval_costs(round_trip_points const& points) {
    std::vector<costed_point> all;
    for (auto const& p : points) {
        auto const of_times = std::hypot(p.many.count(), p.one.count()) / (p.many - p.one).count();
        all.push_back({p.size.count(), p.interval().count(), rounding_residual * of_times});
    }
    return line_costs{all};
}

/// The points of segments k to `end`, without it.
inline segment_fit fit_segments(round_trip_points const& points, line_costs const& costs, beginnings const& begins,
                                std::size_t k, std::size_t end) {
    auto const at = [&](std::size_t i) {
        auto const place = i == begins.size() ? costs.size() : begins[i];
        return points.begin() + static_cast<std::ptrdiff_t>(costs.points_before(place));
    };
    return fit_segment({at(k), at(end)});
}

/// Do the lines of intervals meet between two segments? They do where a processor's limit ends, and not the protocol.
inline bool meet(segment_fit const& left, segment_fit const& right) {
    auto const over = [&](bytes size) { // of the right one's
        auto const l = at_size(left.interval.line, size), r = at_size(right.interval.line, size);
        auto const unknown = 2 * std::hypot(l.deviation, r.deviation) + 0.01 * l.value;
        return on_line{r.value - l.value, unknown};
    };
    auto const before = over(left.points.back().size), after = over(right.points.front().size);
    return before.value <= before.deviation && after.value >= -after.deviation;
}

/// Does a segment differ from the one before only by who limits the interval: a processor that of small sizes, the
/// network that of large ones?
inline bool is_one_protocol(round_trip_points const& points, line_costs const& costs, beginnings const& begins,
                            std::size_t k) {
    auto const left = fit_segments(points, costs, begins, k - 1, k);
    if (left.network_limits) return false;
    auto const right = fit_segments(points, costs, begins, k, k + 1);
    return right.network_limits && meet(left, right) &&
           fit_segments(points, costs, begins, k - 1, k + 1).network_limits;
}

/// The segments that intervals ask for, those joined that are of one protocol.
inline beginnings segments_by_protocol(round_trip_points const& points, line_costs const& costs) {
    auto begins = segments_of(costs);
    for (std::size_t k = 1; k < begins.size();)
        if (is_one_protocol(points, costs, begins, k)) begins.erase(begins.begin() + static_cast<std::ptrdiff_t>(k));
        else ++k;
    return begins;
}

} // namespace sonde::model::detail
