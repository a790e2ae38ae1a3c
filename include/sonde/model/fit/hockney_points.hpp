// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/estimate.hpp>
#include <sonde/model/fit/expect.hpp>
#include <sonde/model/fit/hockney_line.hpp>
#include <sonde/model/fit/line_costs.hpp>
#include <sonde/model/fit/outliers.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/hockney.hpp>
#include <sonde/record.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sonde::model::detail {

using hockney_points = std::vector<hockney::point>;

inline void expect_resolution(hockney::point const& p) {
    if (std::isfinite(p.resolution.count()) && p.resolution.count() >= 0) return;
    throw cannot_fit{"Hockney's model: a resolution of " + sonde::detail::text_of(p.resolution.count()) + " s"};
}

/// In the order of sizes; throws where no line can be fitted.
inline hockney_points in_order(hockney_points points) {
    for (auto const& p : points) {
        expect_time("Hockney's model", p.size, p.time);
        expect_resolution(p);
    }
    if (points.size() < 3)
        throw cannot_fit{"Hockney's model: " + std::to_string(points.size()) + " points; a line and its error need 3"};
    std::stable_sort(points.begin(), points.end(), [](auto const& a, auto const& b) { return a.size < b.size; });
    if (points.front().size == points.back().size)
        throw cannot_fit{"Hockney's model: all points are of " + sonde::detail::text_of(points.front().size.count()) +
                         " B; a line needs two sizes"};
    return points;
}

/// The points of each size.
inline std::vector<std::span<hockney::point const>> by_size(hockney_points const& ordered) {
    constexpr std::size_t most = 2000; // all ranges of them are looked at
    std::vector<std::span<hockney::point const>> all;
    for (std::size_t first = 0, last = 0; first != ordered.size(); first = last) {
        while (last != ordered.size() && ordered[last].size == ordered[first].size) ++last;
        all.push_back(std::span{ordered}.subspan(first, last - first));
    }
    if (all.size() > most)
        throw cannot_fit{"Hockney's model: " + std::to_string(all.size()) + " sizes; at most " + std::to_string(most)};
    return all;
}

/// The median, of two in the middle the smaller one: what is too slow is not typical.
inline double median_time(std::span<hockney::point const> points) {
    std::vector<double> times;
    for (auto const& p : points) times.push_back(p.time.count());
    auto const middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

/// Points in the order of sizes without those far above their neighbours, and what they are known by.
struct hockney_data {
    hockney_points points;
    hockney_points outliers;
    std::vector<costed_point> costed{};

    explicit hockney_data(hockney_points const& ordered) {
        auto const sizes = by_size(ordered);
        std::vector<double> x, times;
        for (auto const& s : sizes) {
            x.push_back(s.front().size.count());
            times.push_back(median_time(s));
        }
        lone_outliers const lone{x, times, times};
        for (std::size_t i = 0, left = 0; i != sizes.size(); ++i) {
            bool const out = left == lone.left().size() || lone.left()[left] != i;
            for (auto const& p : sizes[i])
                if (out || (sizes[i].size() > 1 && lone.is_far_above(left, p.time.count()))) outliers.push_back(p);
                else add(p);
            if (!out) ++left;
        }
    }

private:
    void add(hockney::point const& p) {
        points.push_back(p);
        costed.push_back({p.size.count(), p.time.count(), std::max(rounding_residual, rounding_of(p))});
    }
};

} // namespace sonde::model::detail
