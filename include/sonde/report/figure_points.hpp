// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/figure.hpp>
#include <sonde/report/figure_axis.hpp>
#include <sonde/report/text.hpp>
#include <sonde/report/tics.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace sonde::detail {

/// The points of a figure's curves that have a place on its axes. Throws std::invalid_argument where there is none, or
/// a curve has not as many of one thing as of the other.
class figure_points {
public:
    explicit figure_points(figure const& of) : across_{of.across.scale}, up_{of.up.scale} {
        for (auto const& c : of.curves) {
            require_whole(c);
            for (std::size_t i = 0; i != c.y.size(); ++i) see(c, i);
        }
        if (x_.empty()) throw std::invalid_argument{"sonde::figure_page: '" + of.title + "' has no point to draw"};
    }

    extent x() const { return x_; }
    extent y() const { return y_; }
    bool without_zero() const { return without_zero_; }

    std::size_t count(curve const& c) const {
        std::size_t points = 0;
        for (std::size_t i = 0; i != c.y.size(); ++i) points += placed(c, i);
        return points;
    }

    /// x, y and the ends of its interval; an empty line, which ends a line of the picture, for what has no place.
    std::string lines(curve const& c) const {
        std::string text;
        for (std::size_t i = 0; i != c.y.size(); ++i) {
            if (placed(c, i))
                for (auto const value : {c.x[i], c.y[i], end(c, i, c.low), end(c, i, c.high)})
                    text += shortest(value) + ' ';
            text += '\n';
        }
        return text;
    }

private:
    static void require_whole(curve const& c) {
        auto const n = c.y.size();
        if (c.x.size() != n || c.low.size() != c.high.size() || (!c.low.empty() && c.low.size() != n))
            throw std::invalid_argument{"sonde::figure_page: '" + c.name + "' has not a whole point for each y"};
    }

    bool placed(curve const& c, std::size_t i) const { return has_place(c.x[i], across_) && has_place(c.y[i], up_); }

    /// Of a point's interval; the point itself where that has no end on the axis.
    double end(curve const& c, std::size_t i, std::vector<double> const& ends) const {
        return !ends.empty() && has_place(ends[i], up_) ? ends[i] : c.y[i];
    }

    void see(curve const& c, std::size_t i) {
        if (!placed(c, i)) {
            without_zero_ = without_zero_ || (c.x[i] == 0 && has_place(c.y[i], up_));
            return;
        }
        x_.add(c.x[i]);
        for (auto const value : {c.y[i], end(c, i, c.low), end(c, i, c.high)}) y_.add(value);
    }

    axis_scale across_, up_;
    extent x_, y_;
    bool without_zero_ = false;
};

} // namespace sonde::detail
