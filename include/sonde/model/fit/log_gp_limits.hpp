// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/log_gp_lines.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace sonde::model::detail {

/// A segment of sizes: its lines, and from which of its points on the network limits the interval, and not a
/// processor; only there is the interval g + (s - 1) G.
struct segment_fit {
    round_trip_points points;
    overhead_fit send;
    overhead_fit receive;
    interval_fit interval;      // of the points from `first` on
    std::size_t first = 0;      // so many before it are limited by a processor
    bool network_limits = true; // from `first` on; else nowhere for certain, and `first` is 0

    piecewise_log_gp::point const& smallest() const { return points.front(); }
    char const* busier(bytes size) const {
        return send.at(size).value < receive.at(size).value ? "receiver" : "sender";
    }
    /// Is the interval of a size longer than both overheads, by 1 % and by what is known of them?
    bool limited_by_network(bytes size) const {
        auto const q = at_size(interval.line, size);
        auto const certainly_longer = [&](overhead_fit const& than) {
            auto const o = than.at(size);
            return q.value - 1.01 * o.value > 2 * std::hypot(q.deviation, o.deviation);
        };
        return certainly_longer(send) && certainly_longer(receive);
    }
    /// So many points have a wait that is not longer than the interval, which then hides it.
    std::size_t waits_too_short() const {
        return static_cast<std::size_t>(
            std::count_if(points.begin(), points.end(), [](auto const& p) { return !(p.wait >= p.interval()); }));
    }
};

/// The points from which on the network limits, by the present line; as many as there are for none.
inline std::size_t first_by_network(segment_fit const& fit) {
    auto const limited = [&](auto const& p) { return fit.limited_by_network(p.size); };
    auto const begin = std::find_if(fit.points.begin(), fit.points.end(), limited);
    if (!std::all_of(begin, fit.points.end(), limited)) return fit.points.size();
    return static_cast<std::size_t>(begin - fit.points.begin());
}

/// Points that a processor limits do not lie on the network's line: without them it is another one, and so on.
inline void restrict_to_network(segment_fit& fit) {
    constexpr std::size_t least_points = 3;
    for (auto first = first_by_network(fit); first > fit.first; first = first_by_network(fit)) {
        fit.network_limits = first + least_points <= fit.points.size();
        fit.first = fit.network_limits ? first : 0;
        auto const begin = fit.points.begin() + static_cast<std::ptrdiff_t>(fit.first);
        fit.interval = interval_line({begin, fit.points.end()});
        if (!fit.network_limits) return;
    }
}

inline segment_fit fit_segment(round_trip_points points) {
    using point = piecewise_log_gp::point;
    auto const send = fit_overhead(points, &point::one, &point::send_overhead);
    auto const receive = fit_overhead(points, &point::received_one, &point::receive_overhead);
    auto const interval = interval_line(points);
    segment_fit fit{std::move(points), send, receive, interval};
    restrict_to_network(fit);
    return fit;
}

} // namespace sonde::model::detail
