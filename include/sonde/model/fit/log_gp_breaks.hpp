// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/log_gp_lines.hpp>
#include <sonde/model/fit/running_line.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace sonde::model::detail {

/// Finds where the line of intervals breaks.
///
/// A line through the first points is off where its residuals are twice the noise. It breaks where it has been off for
/// four points in a row and two lines leave half as much, at the place where these leave the least. One or two points
/// far above, without which a line is right, or two are, are left out. A segment has three points at least.
class break_search {
public:
    explicit break_search(round_trip_points points) : noise_{noise_of(points)}, rest_{std::move(points)} {
        while (step()) {
        }
        segments_.push_back(std::move(rest_));
        for (auto& segment : segments_)
            while (auto const i = outlier(segment, segment.size())) drop(segment, *i);
    }
    std::vector<round_trip_points> const& segments() const { return segments_; }
    std::size_t outliers() const { return outliers_; }

private:
    /// Leaves out what is far above, or ends a segment; false where there is nothing to do.
    bool step() {
        running_line line;
        std::size_t off = 0;
        for (std::size_t end = 1; end <= rest_.size(); ++end) {
            line.add(rest_[end - 1]);
            off = is_off(line) ? off + 1 : 0;
            if (off >= enough || (off != 0 && end == rest_.size())) {
                if (settle(end, off >= enough)) return true;
            }
        }
        return false;
    }
    /// The first `end` points lie on no line: without one or two outliers they do, or they are two segments.
    bool settle(std::size_t end, bool may_break) {
        auto const fewer = without_outliers(end);
        for (std::size_t n = 1; n != fewer.size(); ++n)
            if (!is_off(line_of(fewer[n], 0, end - n))) return take(fewer[n], n, 0);
        for (std::size_t n = 0; may_break && n != fewer.size(); ++n)
            if (auto const at = place(fewer[n], end - n)) return take(fewer[n], n, at);
        return false;
    }
    bool take(round_trip_points const& points, std::size_t left_out, std::size_t segment) {
        auto const cut = points.begin() + static_cast<std::ptrdiff_t>(segment);
        if (segment != 0) segments_.emplace_back(points.begin(), cut);
        rest_ = {cut, points.end()};
        outliers_ += left_out;
        return true;
    }
    /// All points, those without one outlier of the first `end`, those without two; as many of these as there are.
    std::vector<round_trip_points> without_outliers(std::size_t end) const {
        std::vector<round_trip_points> all{rest_};
        while (all.size() != 3) {
            auto const i = outlier(all.back(), end--);
            if (!i) break;
            all.push_back(all.back());
            all.back().erase(all.back().begin() + static_cast<std::ptrdiff_t>(*i));
        }
        return all;
    }
    bool is_off(running_line const& line) const { return line.rms() > 2 * noise_; }

    /// Where two lines through the first `end` points leave the least; 0 where that is not half of what one leaves.
    static std::size_t place(round_trip_points const& points, std::size_t end) {
        if (end < 2 * least_points) return 0;
        auto left = line_of(points, 0, least_points), right = line_of(points, least_points, end);
        std::size_t best = 0;
        auto least = std::numeric_limits<double>::infinity();
        for (std::size_t at = least_points; at + least_points <= end; ++at) {
            auto const squares = left.squares() + right.squares();
            if (squares < least && points[at - 1].size < points[at].size) best = at, least = squares;
            left.add(points[at]);
            right.remove(points[at]);
        }
        auto const two = std::sqrt(least / static_cast<double>(end - 4));
        return line_of(points, 0, end).rms() < 2 * two ? 0 : best;
    }
    static running_line line_of(round_trip_points const& points, std::size_t begin, std::size_t end) {
        running_line line;
        for (; begin != end; ++begin) line.add(points[begin]);
        return line;
    }

    /// Of the first `end` points the one farthest above the line of the others, if that is far, and none beside it is
    /// half as far.
    std::optional<std::size_t> outlier(round_trip_points const& points, std::size_t end) const {
        if (end < least_points + 2) return {};
        auto line = line_of(points, 0, end);
        std::optional<std::size_t> farthest;
        auto far = 8 * noise_;
        for (std::size_t i = 0; i != end; ++i) {
            line.remove(points[i]);
            auto const above = line.above(points[i]);
            auto const beside =
                std::max(i == 0 ? 0 : line.above(points[i - 1]), i + 1 == end ? 0 : line.above(points[i + 1]));
            line.add(points[i]);
            if (above > far && above > 2 * beside) farthest = i, far = above;
        }
        return farthest;
    }
    void drop(round_trip_points& from, std::size_t i) {
        from.erase(from.begin() + static_cast<std::ptrdiff_t>(i));
        ++outliers_;
    }

    static constexpr std::size_t enough = 4;
    static constexpr std::size_t least_points = 3;
    double noise_;
    round_trip_points rest_;
    std::vector<round_trip_points> segments_;
    std::size_t outliers_ = 0;
};

} // namespace sonde::model::detail
