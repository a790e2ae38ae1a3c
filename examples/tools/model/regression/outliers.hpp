// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/regression/fit_result.hpp"

#include <sonde/clock.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace tools::regression {

/// Which values may be outliers: those that are too slow, or also those that are too fast.
enum class outlier_sides : unsigned char { slow, both };

/// Detects isolated outliers: single points, or two neighbors, far above all straight lines through their neighbors,
/// and single points far below all of them, such as an empty message that never reaches the device. Beside a point that
/// is too fast others look slow, and the reverse: of both orders of removal, the one that leaves more points is taken,
/// or begins with the farther one.
///
/// Values are positive and in ascending order of x; their errors are assumed to be proportional to them. "Far" means 8
/// times the local noise. The noise is assumed to be at least 1 %, because rounding errors would otherwise look like
/// outliers. At an end of the series, where there are neighbors on one side only, an outlier must also be above twice
/// the line, or below half of it. At most a fifth of all values are at outliers, and series of fewer than 6 points have
/// none.
class isolated_outliers {
public:
    /// counts[i] is the number of values at x[i], 1 by default. y[i] represents them.
    isolated_outliers(std::vector<double> const& x, std::vector<double> const& y,
                      std::vector<std::size_t> const& counts = {}, outlier_sides sides = outlier_sides::both) {
        for (std::size_t i = 0; i != x.size(); ++i)
            points_.push_back({x[i], y[i], 0, i, counts.empty() ? 1 : counts[i]});
        estimate_noise();
        if (x.size() < least_points) return;
        auto const all = points_;
        auto const slowest = erase_all(slow, sides);
        if (sides == outlier_sides::slow) return;
        auto slow_first = std::exchange(points_, all);
        auto const fastest = erase_all(fast, sides);
        if (std::pair{points_.size(), fastest} <= std::pair{slow_first.size(), slowest})
            points_ = std::move(slow_first);
    }
    /// True if point i is an outlier, and with it every value at x[i].
    bool is_outlier(std::size_t i) const { return position_of(i) == points_.size(); }
    /// True if the value y at x[i] is an outlier. `noise` is the relative standard deviation of values at one x, if it
    /// is known: y[i] may be the median of many values, and less noisy.
    bool is_outlier(std::size_t i, double y, double noise = 0) const {
        auto const at = position_of(i);
        if (at == points_.size()) return true;
        return y != points_[at].y && points_.size() >= least_points &&
               excess(at, y, at, at + 1, std::max(noise, points_[at].noise), slow) > 1;
    }

private:
    static constexpr std::size_t least_points = 6;
    enum side : unsigned char { slow, fast };

    struct point {
        double x;
        double y;
        double noise; // local estimate of the relative standard deviation
        std::size_t index;
        std::size_t count; // of values
    };

    /// Position of the point with this index; the number of points if it is an outlier.
    std::size_t position_of(std::size_t index) const {
        auto const at = std::lower_bound(points_.begin(), points_.end(), index,
                                         [](point const& p, std::size_t i) { return p.index < i; });
        return at == points_.end() || at->index != index ? points_.size()
                                                         : static_cast<std::size_t>(at - points_.begin());
    }

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
    /// Returns the excess of the farthest outlier of the first side; 1 if there is none.
    double erase_all(side first, outlier_sides sides) {
        std::size_t most = 0;
        for (auto const& p : points_) most += p.count;
        most /= 5;
        auto const farthest = erase_farthest(most, first);
        for (auto next = farthest; next > 1;) next = erase_farthest(most, first);
        for (auto next = sides == outlier_sides::both ? 2. : 1.; next > 1;)
            next = erase_farthest(most, first == slow ? fast : slow);
        return farthest;
    }
    /// Returns the excess of the point that it erases, or 1 if it erases no point.
    double erase_farthest(std::size_t& most, side s) {
        std::size_t first = 0, last = 0, values = 0;
        double farthest = 1;
        for (std::size_t n = 1; n <= (s == slow ? 2U : 1U); ++n)
            for (std::size_t i = 0; i + n <= points_.size(); ++i) {
                auto const count = points_[i].count + (n == 2 ? points_[i + 1].count : 0);
                if (count > most) continue;
                auto lowest = excess(i, points_[i].y, i, i + n, points_[i].noise, s);
                for (auto k = i + 1; k < i + n; ++k)
                    lowest = std::min(lowest, excess(k, points_[k].y, i, i + n, points_[k].noise, s));
                if (lowest > farthest) farthest = lowest, first = i, last = i + n, values = count;
            }
        points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(first),
                      points_.begin() + static_cast<std::ptrdiff_t>(last));
        most -= values;
        return farthest;
    }
    /// Distance above, or below, the nearest of the lines beside [first, last), relative to the limit for an outlier.
    double excess(std::size_t i, double y, std::size_t first, std::size_t last, double noise, side s) const {
        bool const at_end = first == 0 || last == points_.size();
        if (at_end && last - first > 1) return 0;
        if (at_end) {
            auto const line = i == 0 ? line_at(0, 1, 2) : line_at(i, i - 2, i - 1);
            if (!(s == slow ? y > 2 * line : 2 * y < line)) return 0;
        }
        auto const distances = above(i, y, first, last);
        if (distances.empty()) return 0;
        return (s == slow ? distances.front() : -distances.back()) / (8 * std::max(0.01, noise));
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

/// The times of each size.
struct times_by_size {
    std::vector<double> sizes;
    std::vector<std::vector<double>> times;

    template <class Point>
    times_by_size(std::vector<Point> const& points, seconds Point::*time) {
        for (auto const& p : points) {
            if (sizes.empty() || sizes.back() != p.size.count()) sizes.push_back(p.size.count()), times.push_back({});
            times.back().push_back((p.*time).count());
        }
    }
    /// Relative standard deviation of the times of one size, from the median absolute deviation over all sizes with
    /// several times; 0 if there are none.
    double spread() const {
        constexpr double normal_from_median = 1.4826;
        std::vector<double> deviations;
        for (auto const& of_size : times) {
            auto const n = static_cast<double>(of_size.size()), median = middle_of(of_size);
            for (auto const t : of_size)
                if (n > 1) deviations.push_back(std::sqrt(n / (n - 1)) * std::fabs(t / median - 1));
        }
        return deviations.empty() ? 0 : normal_from_median * middle_of(std::move(deviations));
    }
    /// The difference of the slowest and the fastest launch, relative to the median of the launches, if it is more than
    /// 5 % and than their scatter explains; else 0. Launch k has the k-th time of each size, if all sizes have as many.
    double difference_of_launches() const {
        auto const launches = times.front().size();
        for (auto const& of_size : times)
            if (launches < 2 || of_size.size() != launches) return 0;
        std::vector<double> medians, scatter;
        for (std::size_t k = 0; k != launches; ++k) {
            std::vector<double> relative;
            for (auto const& of_size : times) relative.push_back(of_size[k] / middle_of(of_size));
            medians.push_back(middle_of(relative));
            for (auto const r : relative) scatter.push_back(std::fabs(r - medians.back()));
        }
        auto const [least, most] = std::minmax_element(medians.begin(), medians.end());
        auto const explained = 10 * middle_of(std::move(scatter)) / std::sqrt(static_cast<double>(sizes.size()));
        return *most - *least > std::max(0.05, explained) ? *most - *least : 0;
    }

private:
    static double middle_of(std::vector<double> values) {
        std::sort(values.begin(), values.end());
        return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
    }
};

/// The median; of an even number of times, the lower of the middle two, which is less likely to be too slow.
inline double lower_median(std::vector<double> times) {
    auto const middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

/// Removes the points with an isolated outlier among these times, and returns them. Points are in ascending order of
/// size. If a size has several points, representative(times) decides whether the size is an outlier, and each time is
/// compared with the neighboring sizes. If more than a fifth of the times were outliers then, they are not isolated:
/// launches differ, and their times are left in.
template <class Point, class F>
std::vector<Point> remove_outliers(std::vector<Point>& points, std::initializer_list<seconds Point::*> times,
                                   F representative, outlier_sides sides) {
    std::vector<bool> is_outlier(points.size());
    for (auto const time : times) {
        times_by_size const values{points, time};
        std::vector<double> representatives;
        std::vector<std::size_t> counts;
        for (auto const& of_size : values.times) {
            representatives.push_back(representative(of_size));
            counts.push_back(of_size.size());
        }
        isolated_outliers const found{values.sizes, representatives, counts, sides};
        auto const spread = values.spread();
        std::vector<std::size_t> of_sizes, alone;
        for (std::size_t i = 0, size = 0; i != points.size(); ++i) {
            if (points[i].size.count() != values.sizes[size]) ++size;
            if (found.is_outlier(size)) of_sizes.push_back(i);
            else if (found.is_outlier(size, (points[i].*time).count(), spread)) alone.push_back(i);
        }
        if (of_sizes.size() + alone.size() > points.size() / 5) alone.clear();
        for (auto const& all : {of_sizes, alone})
            for (auto const i : all) is_outlier[i] = true;
    }
    std::vector<Point> inliers, outliers;
    for (std::size_t i = 0; i != points.size(); ++i) (is_outlier[i] ? outliers : inliers).push_back(points[i]);
    points = std::move(inliers);
    return outliers;
}

/// "launches differ by 26 %: .." if they do (`difference_of_launches`); empty otherwise. Points are in ascending order
/// of size.
template <class Point>
std::string launch_note(std::vector<Point> const& points, seconds Point::*time) {
    auto const difference = times_by_size{points, time}.difference_of_launches();
    if (difference == 0) return "";
    char note[80];
    std::snprintf(note, sizeof note, "launches differ by %.0f %%, more than the intervals show", 100 * difference);
    return note;
}

} // namespace tools::regression
