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
/// four points in a row and two lines leave half as much, at the place where these leave the least; unless one or two
/// points far above are all there is to it: these are left out. A segment has three points at least.
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
                if (leave_out(end)) return true;
                if (off >= enough && end_segment(line, end)) return true;
            }
        }
        return false;
    }
    /// If two lines through the first `end` points leave half of what one leaves.
    bool end_segment(running_line const& one, std::size_t end) {
        auto const found = place(end);
        auto const freedom = static_cast<double>(end - 4);
        if (found.at == 0 || one.rms() < 2 * std::sqrt(found.squares / freedom)) return false;
        auto const cut = rest_.begin() + static_cast<std::ptrdiff_t>(found.at);
        segments_.emplace_back(rest_.begin(), cut);
        rest_.erase(rest_.begin(), cut);
        return true;
    }
    bool is_off(running_line const& line) const { return line.rms() > 2 * noise_; }

    struct cut_line {
        std::size_t at = 0; // 0: nowhere
        double squares = std::numeric_limits<double>::infinity();
    };
    /// Where two lines through the first `end` points leave the least.
    cut_line place(std::size_t end) const {
        cut_line best;
        if (end < 2 * least_points) return best;
        auto left = line_of(rest_, 0, least_points), right = line_of(rest_, least_points, end);
        for (std::size_t at = least_points; at + least_points <= end; ++at) {
            auto const squares = left.squares() + right.squares();
            if (squares < best.squares && rest_[at - 1].size < rest_[at].size) best = {at, squares};
            left.add(rest_[at]);
            right.remove(rest_[at]);
        }
        return best;
    }
    static running_line line_of(round_trip_points const& points, std::size_t begin, std::size_t end) {
        running_line line;
        for (; begin != end; ++begin) line.add(points[begin]);
        return line;
    }

    /// Leaves out up to two of the first `end` points, if the line is right then.
    bool leave_out(std::size_t end) {
        auto fewer = rest_;
        for (std::size_t left_out = 1; left_out != 3; ++left_out) {
            auto const i = outlier(fewer, end--);
            if (!i) return false;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(*i));
            if (is_off(line_of(fewer, 0, end))) continue;
            rest_ = std::move(fewer);
            outliers_ += left_out;
            return true;
        }
        return false;
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
