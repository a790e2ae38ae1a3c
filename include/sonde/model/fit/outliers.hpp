// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/model/fit/result.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace sonde::model::detail {

/// Detects isolated outliers: single points, or two neighbors, far above all straight lines through their neighbors.
///
/// Values are positive and in ascending order of x; their errors are assumed to be proportional to them. "Far" means 8
/// times the local noise. The noise is assumed to be at least 1 %, because rounding errors would otherwise look like
/// outliers. At an end of the series, where there are neighbors on one side only, an outlier must also be above twice
/// the line. At most a fifth of all points are outliers, and series of fewer than 6 points have none.
class isolated_outliers {
public:
    isolated_outliers(std::vector<double> const& x, std::vector<double> const& y) {
        for (std::size_t i = 0; i != x.size(); ++i) points_.push_back({x[i], y[i], 0, i});
        estimate_noise();
        for (auto most = x.size() / 5; x.size() >= least_points && erase_farthest(most);) {
        }
    }
    /// True if the value y at x[i] is an outlier. y is the value of point i or another value; if point i is an outlier,
    /// so is every value at x[i].
    bool is_outlier(std::size_t i, double y) const {
        auto const at = std::ranges::lower_bound(points_, i, {}, &point::index);
        if (at == points_.end() || at->index != i) return true;
        auto const position = static_cast<std::size_t>(at - points_.begin());
        return y != at->y && points_.size() >= least_points && excess(position, y, position, position + 1) > 1;
    }

private:
    static constexpr std::size_t least_points = 6;

    struct point {
        double x;
        double y;
        double noise; // local estimate of the relative standard deviation
        std::size_t index;
    };

    /// Takes the second smallest distance of each point, and the lower tercile of these distances over the nearest
    /// points. Neither breakpoints nor a few outliers change the result.
    void estimate_noise() {
        constexpr double tercile_of_normal = 0.58; // of the second smallest distance, for normal errors
        std::vector<double> distances;
        for (std::size_t i = 0; i != points_.size(); ++i) {
            auto all = above(i, points_[i].y, i, i + 1);
            for (auto& distance : all) distance = std::fabs(distance);
            std::sort(all.begin(), all.end());
            distances.push_back(all.empty() ? 0 : all[all.size() > 1 ? 1 : 0]);
        }
        auto const n = std::min<std::size_t>(15, distances.size()), tercile = n / 3;
        for (std::size_t i = 0; i != points_.size(); ++i) {
            auto const first = std::min(i - std::min(i, n / 2), distances.size() - n);
            std::vector<double> nearest(n);
            std::copy_n(distances.begin() + static_cast<std::ptrdiff_t>(first), n, nearest.begin());
            std::nth_element(nearest.begin(), nearest.begin() + static_cast<std::ptrdiff_t>(tercile), nearest.end());
            points_[i].noise = nearest[tercile] / tercile_of_normal;
        }
    }
    bool erase_farthest(std::size_t& most) {
        std::size_t first = 0, last = 0;
        double farthest = 1;
        for (std::size_t n = 1; n <= std::min<std::size_t>(2, most); ++n)
            for (std::size_t i = 0; i + n <= points_.size(); ++i) {
                auto lowest = excess(i, points_[i].y, i, i + n);
                for (auto k = i + 1; k < i + n; ++k) lowest = std::min(lowest, excess(k, points_[k].y, i, i + n));
                if (lowest > farthest) farthest = lowest, first = i, last = i + n;
            }
        points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(first),
                      points_.begin() + static_cast<std::ptrdiff_t>(last));
        most -= last - first;
        return first != last;
    }
    /// Distance above the nearest of the lines beside [first, last), relative to the limit for an outlier.
    double excess(std::size_t i, double y, std::size_t first, std::size_t last) const {
        bool const at_end = first == 0 || last == points_.size();
        if (at_end && last - first > 1) return 0;
        if (at_end && !(y > 2 * (i == 0 ? line_at(0, 1, 2) : line_at(i, i - 2, i - 1)))) return 0;
        auto const distances = above(i, y, first, last);
        return distances.empty() ? 0 : distances[0] / (8 * std::max(0.01, points_[i].noise));
    }
    /// Distances of y at x(i) above up to three lines, in ascending order: the lines through the two points before
    /// `first`, through the points beside [first, last), and through the two points from `last` on. Lines whose points
    /// do not exist are left out.
    std::vector<double> above(std::size_t i, double y, std::size_t first, std::size_t last) const {
        std::vector<double> distances;
        if (first >= 2) distances.push_back(above_line(i, y, first - 2, first - 1));
        if (first >= 1 && last < points_.size()) distances.push_back(above_line(i, y, first - 1, last));
        if (last + 1 < points_.size()) distances.push_back(above_line(i, y, last, last + 1));
        std::sort(distances.begin(), distances.end());
        return distances;
    }
    /// Distance above the line through points a and b. Its unit is the standard deviation of the distance for values
    /// with a relative standard deviation of 1.
    double above_line(std::size_t i, double y, std::size_t a, std::size_t b) const {
        auto const at = line_at(i, a, b), weight_b = weight(i, a, b);
        auto const error = at > 0 ? std::min(at, points_[i].y) : points_[i].y; // of the value if it were on the line
        return (y - at) / std::hypot(error, (1 - weight_b) * points_[a].y, weight_b * points_[b].y);
    }
    double line_at(std::size_t i, std::size_t a, std::size_t b) const {
        return std::lerp(points_[a].y, points_[b].y, weight(i, a, b));
    }
    double weight(std::size_t i, std::size_t a, std::size_t b) const {
        return (points_[i].x - points_[a].x) / (points_[b].x - points_[a].x);
    }

    std::vector<point> points_; // without outliers
};

/// Removes the points with an isolated outlier among these times, and returns them. Points are in ascending order of
/// size. If a size has several points, representative(times) decides whether the size is an outlier, and each time is
/// compared with the neighboring sizes.
template <class Point, class F>
std::vector<Point> remove_outliers(std::vector<Point>& points, std::initializer_list<seconds Point::*> times,
                                   F representative) {
    std::vector<bool> is_outlier(points.size());
    for (auto const time : times) {
        std::vector<double> sizes, representatives;
        std::vector<std::vector<double>> values;
        for (auto const& p : points) {
            if (sizes.empty() || sizes.back() != p.size.count()) sizes.push_back(p.size.count()), values.push_back({});
            values.back().push_back((p.*time).count());
        }
        for (auto const& of_size : values) representatives.push_back(representative(of_size));
        isolated_outliers const found{sizes, representatives};
        for (std::size_t i = 0, size = 0; i != points.size(); ++i) {
            if (points[i].size.count() != sizes[size]) ++size;
            if (found.is_outlier(size, (points[i].*time).count())) is_outlier[i] = true;
        }
    }
    std::vector<Point> inliers, outliers;
    for (std::size_t i = 0; i != points.size(); ++i) (is_outlier[i] ? outliers : inliers).push_back(points[i]);
    points = std::move(inliers);
    return outliers;
}

} // namespace sonde::model::detail
