// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/log_gp_lines.hpp>
#include <sonde/model/fit/outliers.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sonde::model::detail {

/// Which points' time is far above that of sizes beside them. Of a size that was measured again the shortest time tells
/// whether the size is; where it is not, others of its times may be.
inline std::vector<bool> far_above(round_trip_points const& points, seconds piecewise_log_gp::point::*time) {
    std::vector<double> sizes, shortest;
    for (auto const& p : points) {
        if (sizes.empty() || sizes.back() != p.size.count()) {
            sizes.push_back(p.size.count());
            shortest.push_back((p.*time).count());
        }
        shortest.back() = std::min(shortest.back(), (p.*time).count());
    }
    lone_outliers const found{sizes, shortest, shortest};
    std::vector<bool> far;
    std::size_t i = 0; // of those left
    for (auto const& p : points) {
        while (i != found.left().size() && sizes[found.left()[i]] < p.size.count()) ++i;
        auto const left = i != found.left().size() && sizes[found.left()[i]] == p.size.count();
        far.push_back(!left || found.is_far_above(i, (p.*time).count()));
    }
    return far;
}

/// Takes out of points, in the order of sizes, those of which a time is far above that of sizes beside them.
inline round_trip_points take_outliers(round_trip_points& points) {
    using point = piecewise_log_gp::point;
    std::vector<bool> far(points.size());
    for (auto const time : {&point::one, &point::many, &point::spaced, &point::received_one, &point::received_many}) {
        auto const here = far_above(points, time);
        for (std::size_t i = 0; i != far.size(); ++i) far[i] = far[i] || here[i];
    }
    round_trip_points left, taken;
    for (std::size_t i = 0; i != far.size(); ++i) (far[i] ? taken : left).push_back(points[i]);
    points = left;
    return taken;
}

} // namespace sonde::model::detail
