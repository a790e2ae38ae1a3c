// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <utility>
#include <vector>

namespace sonde::model::detail {

/// Positive values in ascending order of x, and their distances from the straight lines through their neighbors.
///
/// Errors are taken to be relative to the values. The unit of a distance is the standard deviation that it has, with
/// the errors of the neighbors, if the relative standard deviation of all values is 1.
class neighbor_lines {
public:
    neighbor_lines(std::vector<double> x, std::vector<double> y) : x_{std::move(x)}, y_{std::move(y)} {}

    std::size_t size() const { return x_.size(); }
    double y(std::size_t i) const { return y_[i]; }

    /// Distances of y at x(i) above three lines: through the two points before `first`, through the points beside
    /// [first, last), and through the two points from `last` on. Ascending; infinite for lines that do not exist.
    std::array<double, 3> above(std::size_t i, double y, std::size_t first, std::size_t last) const {
        constexpr auto none = std::numeric_limits<double>::infinity();
        std::array<double, 3> distances{none, none, none};
        if (first >= 2) distances[0] = above_line(i, y, first - 2, first - 1);
        if (first >= 1 && last < size()) distances[1] = above_line(i, y, first - 1, last);
        if (last + 1 < size()) distances[2] = above_line(i, y, last, last + 1);
        std::sort(distances.begin(), distances.end());
        return distances;
    }
    /// Local estimate, for each point, of the relative standard deviation: from the lower tercile, over the nearest
    /// points, of the second smallest distance of each, which neither breakpoints nor a few outliers change.
    std::vector<double> noise() const {
        std::vector<double> distances, noise;
        for (std::size_t i = 0; i != size(); ++i) {
            auto all = above(i, y_[i], i, i + 1);
            for (auto& distance : all) distance = std::fabs(distance);
            std::sort(all.begin(), all.end());
            distances.push_back(std::isfinite(all[1]) ? all[1] : all[0]);
        }
        for (std::size_t i = 0; i != size(); ++i) noise.push_back(tercile_around(distances, i) / tercile_of_normal);
        return noise;
    }
    /// True if y at x(i), an end of the series, is more than twice the line through its two neighbors.
    bool is_twice_the_line(std::size_t i, double y) const {
        return y > 2 * (i == 0 ? line(0, 1, 2) : line(i, i - 2, i - 1));
    }
    void erase(std::size_t first, std::size_t last) {
        for (auto* const v : {&x_, &y_})
            v->erase(v->begin() + static_cast<std::ptrdiff_t>(first), v->begin() + static_cast<std::ptrdiff_t>(last));
    }

private:
    static constexpr double tercile_of_normal = 0.58; // of the second smallest distance, for normal errors
    static constexpr std::size_t nearest = 15;

    double above_line(std::size_t i, double y, std::size_t a, std::size_t b) const {
        auto const at = line(i, a, b), weight_b = weight(i, a, b);
        auto const error = at > 0 ? std::min(at, y_[i]) : y_[i]; // of the value if it were on the line
        return (y - at) / std::hypot(error, (1 - weight_b) * y_[a], weight_b * y_[b]);
    }
    double weight(std::size_t i, std::size_t a, std::size_t b) const { return (x_[i] - x_[a]) / (x_[b] - x_[a]); }
    double line(std::size_t i, std::size_t a, std::size_t b) const { return std::lerp(y_[a], y_[b], weight(i, a, b)); }
    static double tercile_around(std::vector<double> const& all, std::size_t i) {
        auto const n = std::min(nearest, all.size());
        auto const first = std::min(i - std::min(i, n / 2), all.size() - n);
        auto const begin = all.begin() + static_cast<std::ptrdiff_t>(first);
        std::vector<double> some(begin, begin + static_cast<std::ptrdiff_t>(n));
        auto const tercile = some.begin() + static_cast<std::ptrdiff_t>(n / 3);
        std::nth_element(some.begin(), tercile, some.end());
        return *tercile;
    }

    std::vector<double> x_, y_;
};

/// Detects isolated outliers: single points, or two neighbors, far above all lines through their neighbors.
///
/// Far is 8 times the local noise, which is taken to be at least 1 % because otherwise rounding errors would look like
/// outliers. At an end of the series, where there are neighbors on one side only, the point must also be above twice
/// the line. At most a fifth of all points are outliers, and series of fewer than 6 points have none.
class isolated_outliers {
public:
    isolated_outliers(std::vector<double> const& x, std::vector<double> const& y)
        : lines_{x, y}, noise_{lines_.noise()}, inliers_(x.size()) {
        for (std::size_t i = 0; i != inliers_.size(); ++i) inliers_[i] = i;
        for (auto most = x.size() / 5; x.size() >= least_points && erase_farthest(most);) {
        }
    }
    /// Indices, in the original series, of the points that are not outliers.
    std::vector<std::size_t> const& inliers() const { return inliers_; }
    /// True if another value at the x of inlier i is an outlier.
    bool is_outlier(std::size_t i, double y) const {
        return noise_.size() >= least_points && excess(i, y, i, i + 1) > 1;
    }

private:
    static constexpr std::size_t least_points = 6;

    bool erase_farthest(std::size_t& most) {
        std::size_t first = 0, last = 0;
        double farthest = 1;
        for (std::size_t n = 1; n <= std::min<std::size_t>(2, most); ++n)
            for (std::size_t i = 0; i + n <= lines_.size(); ++i)
                if (auto const distance = excess_of_lowest(i, i + n); distance > farthest)
                    farthest = distance, first = i, last = i + n;
        if (first == last) return false;
        lines_.erase(first, last);
        auto const from = static_cast<std::ptrdiff_t>(first), to = static_cast<std::ptrdiff_t>(last);
        inliers_.erase(inliers_.begin() + from, inliers_.begin() + to);
        noise_.erase(noise_.begin() + from, noise_.begin() + to);
        most -= last - first;
        return true;
    }
    double excess_of_lowest(std::size_t first, std::size_t last) const {
        auto lowest = std::numeric_limits<double>::infinity();
        for (auto i = first; i != last; ++i) lowest = std::min(lowest, excess(i, lines_.y(i), first, last));
        return lowest;
    }
    /// Distance above the nearest of the lines beside [first, last), relative to that of an outlier.
    double excess(std::size_t i, double y, std::size_t first, std::size_t last) const {
        bool const at_end = first == 0 || last == lines_.size();
        if (at_end && (last - first > 1 || !lines_.is_twice_the_line(i, y))) return 0;
        return lines_.above(i, y, first, last)[0] / (8 * std::max(0.01, noise_[i]));
    }

    neighbor_lines lines_;
    std::vector<double> noise_;
    std::vector<std::size_t> inliers_;
};

/// Removes the points, in ascending order of size, with an isolated outlier among these times, and returns them. If a
/// size has several points, representative(times) decides on the size, and each time is compared with its neighbors.
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
        std::size_t point = 0, inlier = 0;
        for (std::size_t i = 0; i != sizes.size(); ++i) {
            bool const is_inlier = inlier != found.inliers().size() && found.inliers()[inlier] == i;
            for (auto const value : values[i]) {
                if (!is_inlier || (values[i].size() > 1 && found.is_outlier(inlier, value))) is_outlier[point] = true;
                ++point;
            }
            if (is_inlier) ++inlier;
        }
    }
    std::vector<Point> inliers, outliers;
    for (std::size_t i = 0; i != points.size(); ++i) (is_outlier[i] ? outliers : inliers).push_back(points[i]);
    points = std::move(inliers);
    return outliers;
}

} // namespace sonde::model::detail
