// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/log_gp_lines.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace sonde::model::detail {

/// The line through points that weigh by their errors: points come and go at no cost.
class running_line {
public:
    void add(piecewise_log_gp::point const& p, double sign = 1) {
        auto const x = p.size.count() - 1, y = p.interval().count(), w = sign / squared_scale(p);
        points_ += sign;
        w_ += w;
        x_ += w * x;
        y_ += w * y;
        xx_ += w * x * x;
        xy_ += w * x * y;
        yy_ += w * y * y;
    }
    void remove(piecewise_log_gp::point const& p) { add(p, -1); }

    double squares() const { return std::max(0.0, yy_ - y_ * y_ / w_ - slope() * (xy_ - x_ * y_ / w_)); }
    double rms() const { return points_ > 2 ? std::sqrt(squares() / (points_ - 2)) : 0; }
    /// How far a point is above, relative to its times.
    double above(piecewise_log_gp::point const& p) const {
        auto const line = y_ / w_ + slope() * (p.size.count() - 1 - x_ / w_);
        return (p.interval().count() - line) / scale(p);
    }
    static double scale(piecewise_log_gp::point const& p) { return std::sqrt(squared_scale(p)); }

private:
    static double squared_scale(piecewise_log_gp::point const& p) {
        auto const many = p.many.count(), one = p.one.count(), steps = p.messages - 1;
        return (many * many + one * one) / (steps * steps);
    }
    double slope() const {
        auto const spread = xx_ - x_ * x_ / w_;
        return spread > 1e-12 * xx_ ? (xy_ - x_ * y_ / w_) / spread : 0;
    }
    double points_ = 0, w_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0, yy_ = 0;
};

/// What noise does to a point, relative to its times: the median of how far points are from the line through their
/// neighbours, so that breaks and outliers do not count; 1 % at least, or rounding would be noise.
inline double noise_of(round_trip_points const& points) {
    std::vector<double> found;
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        auto const &a = points[i - 1], &b = points[i], &c = points[i + 1];
        auto const apart = c.size.count() - a.size.count();
        auto const to_c = apart > 0 ? (b.size.count() - a.size.count()) / apart : 0.5;
        auto const line = (1 - to_c) * a.interval() + to_c * c.interval();
        auto const scale =
            std::hypot(running_line::scale(b), (1 - to_c) * running_line::scale(a), to_c * running_line::scale(c));
        found.push_back(std::fabs((b.interval() - line).count()) / scale);
    }
    auto const middle = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2);
    std::nth_element(found.begin(), middle, found.end());
    constexpr double median_of_normal = 0.6745;
    return std::max(0.01, *middle / median_of_normal);
}

} // namespace sonde::model::detail
