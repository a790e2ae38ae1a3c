// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace sonde::model::detail {

/// Values at places in growing order, x, and how far each is from the straight lines of its neighbours.
///
/// `scale` is what errors are relative to: of times, the times. Distances are of a standard deviation that errors of 1
/// times the scale would give them, those of the neighbours included.
class neighbour_lines {
public:
    neighbour_lines(std::vector<double> x, std::vector<double> y, std::vector<double> scale)
        : x_{std::move(x)}, y_{std::move(y)}, scale_{std::move(scale)} {}

    std::size_t size() const { return x_.size(); }

    /// How far y would be above, at i, each of the lines through two neighbours before `first`, one before and one from
    /// `last` on, and two from `last` on; in growing order, infinite where there is no such line.
    std::array<double, 3> above(std::size_t i, double y, std::size_t first, std::size_t last) const {
        constexpr auto none = std::numeric_limits<double>::infinity();
        std::array<double, 3> far{none, none, none};
        if (first >= 2) far[0] = above_line(i, y, first - 2, first - 1);
        if (first >= 1 && last < size()) far[1] = above_line(i, y, first - 1, last);
        if (last + 1 < size()) far[2] = above_line(i, y, last, last + 1);
        std::sort(far.begin(), far.end());
        return far;
    }

    /// What errors are around each place, relative to the scale: of the places nearest the lower third of how far they
    /// are from the second best of their lines, so that neither breaks nor a few outliers count.
    std::vector<double> noise() const {
        std::vector<double> near, all;
        for (std::size_t i = 0; i != size(); ++i) {
            auto far = above(i, y_[i], i, i + 1);
            for (auto& f : far) f = std::fabs(f);
            std::sort(far.begin(), far.end());
            near.push_back(std::isfinite(far[1]) ? far[1] : far[0]);
        }
        for (std::size_t i = 0; i != size(); ++i) all.push_back(third_around(near, i) / third_of_normal);
        return all;
    }

    void drop(std::size_t first, std::size_t last) {
        for (auto* const v : {&x_, &y_, &scale_})
            v->erase(v->begin() + static_cast<std::ptrdiff_t>(first), v->begin() + static_cast<std::ptrdiff_t>(last));
    }
    double y(std::size_t i) const { return y_[i]; }
    /// Whether y, at an end, is more than twice what the line of its neighbours says.
    bool is_twice(std::size_t i, double y) const { return y > 2 * (i == 0 ? line(0, 1, 2) : line(i, i - 2, i - 1)); }

private:
    static constexpr double third_of_normal = 0.58; // of that, where errors are normal
    static constexpr std::size_t window = 15;

    double above_line(std::size_t i, double y, std::size_t a, std::size_t b) const {
        auto const at = line(i, a, b), to_b = share(i, a, b);
        auto const own = at > 0 && at < y_[i] ? scale_[i] * at / y_[i] : scale_[i]; // as it would be on the line
        return (y - at) / std::hypot(own, (1 - to_b) * scale_[a], to_b * scale_[b]);
    }
    double share(std::size_t i, std::size_t a, std::size_t b) const { return (x_[i] - x_[a]) / (x_[b] - x_[a]); }
    double line(std::size_t i, std::size_t a, std::size_t b) const { return y_[a] + share(i, a, b) * (y_[b] - y_[a]); }
    static double third_around(std::vector<double> const& all, std::size_t i) {
        auto const n = std::min(window, all.size());
        auto const first = std::min(i - std::min(i, n / 2), all.size() - n);
        std::vector<double> some(all.begin() + static_cast<std::ptrdiff_t>(first),
                                 all.begin() + static_cast<std::ptrdiff_t>(first + n));
        auto const third = some.begin() + static_cast<std::ptrdiff_t>(n / 3);
        std::nth_element(some.begin(), third, some.end());
        return *third;
    }

    std::vector<double> x_, y_, scale_;
};

/// Finds single places, or two side by side, that are far above what their neighbours say: eight times the noise around
/// them, and at an end, where there are neighbours on one side only, twice the line. Noise is taken to be 1 % at least,
/// or rounding would make outliers; a fifth of all places at most are left out, since more are no outliers.
class lone_outliers {
public:
    lone_outliers(std::vector<double> const& x, std::vector<double> const& y, std::vector<double> const& scale)
        : lines_{x, y, scale}, noise_{lines_.noise()}, at_(x.size()) {
        for (std::size_t i = 0; i != at_.size(); ++i) at_[i] = i;
        for (auto most = x.size() / 5; x.size() >= least && drop_farthest(most);) {
        }
    }
    /// The places that are left, as numbers of those given.
    std::vector<std::size_t> const& left() const { return at_; }
    /// Whether another value at the i-th of those left would be an outlier.
    bool is_far_above(std::size_t i, double y) const { return noise_.size() >= least && excess(i, y, i, i + 1) > 1; }

private:
    static constexpr std::size_t least = 6; // two neighbours on each side of the middle, and one more

    bool drop_farthest(std::size_t& most) {
        std::size_t first = 0, last = 0;
        double farthest = 1;
        for (std::size_t n = 1; n <= std::min<std::size_t>(2, most); ++n)
            for (std::size_t i = 0; i + n <= lines_.size(); ++i) {
                auto const far = excess_of(i, i + n);
                if (far > farthest) farthest = far, first = i, last = i + n;
            }
        if (first == last) return false;
        lines_.drop(first, last);
        for (auto n = first; n != last; ++n) erase(first);
        most -= last - first;
        return true;
    }
    void erase(std::size_t i) {
        at_.erase(at_.begin() + static_cast<std::ptrdiff_t>(i));
        noise_.erase(noise_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    /// Of the lowest of some places.
    double excess_of(std::size_t first, std::size_t last) const {
        auto lowest = std::numeric_limits<double>::infinity();
        for (auto i = first; i != last; ++i) lowest = std::min(lowest, excess(i, lines_.y(i), first, last));
        return lowest;
    }
    /// How far above all lines, in the distance from which on it is an outlier.
    double excess(std::size_t i, double y, std::size_t first, std::size_t last) const {
        bool const at_end = first == 0 || last == lines_.size();
        if (at_end && (last - first > 1 || !lines_.is_twice(i, y))) return 0;
        return lines_.above(i, y, first, last)[0] / (8 * std::max(0.01, noise_[i]));
    }

    neighbour_lines lines_;
    std::vector<double> noise_;
    std::vector<std::size_t> at_;
};

} // namespace sonde::model::detail
