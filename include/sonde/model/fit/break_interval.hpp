// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/interval.hpp>
#include <sonde/model/fit/line_costs.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/fit/segments.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sonde::model {

namespace detail {

/// The places of one break, between its neighbours, where the lines leave little more than where they leave least: by
/// the F test of one parameter that a likelihood interval of 95 % is made of.
struct likely_places {
    std::size_t first;
    std::size_t last;

    likely_places(line_costs const& costs, beginnings const& begins, std::size_t segment)
        : first{begins[segment]}, last{first} {
        auto const from = begins[segment - 1];
        auto const to = segment + 1 == begins.size() ? costs.size() : begins[segment + 1];
        auto const cost = [&](std::size_t at) { return costs(from, at) + costs(at, to); };
        auto const freedom = static_cast<double>(costs.points(from, to).size()) - 4;
        if (!(freedom > 0)) return;
        auto const least = cost(first) + costs.rounding() * freedom;
        auto const limit = least * (1 + std::pow(student_quantile(freedom), 2) / freedom);
        for (auto at = from + 1; at != to; ++at) {
            if (cost(at) > limit) continue;
            first = std::min(first, at);
            last = std::max(last, at);
        }
    }
};

} // namespace detail

/// The size with which a segment, not the first, begins. Its interval is where a library may really change protocol:
/// above `low`, the largest size that must belong to the segment before, up to `high`, the smallest that must to this.
[[nodiscard]] inline parameter break_parameter(line_costs const& costs, beginnings const& begins, std::size_t segment) {
    detail::likely_places const at{costs, begins, segment};
    return detail::named({"break", "B", segment}, costs.x(begins[segment]), costs.x(at.first - 1), costs.x(at.last));
}

} // namespace sonde::model
