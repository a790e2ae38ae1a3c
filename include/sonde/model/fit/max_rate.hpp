// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/expect.hpp>
#include <sonde/model/fit/kinked_fit.hpp>
#include <sonde/model/fit/max_rate_findings.hpp>
#include <sonde/model/fit/result.hpp>
#include <sonde/model/max_rate.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sonde::model {

namespace detail {

/// (u, v, w) is (1 / R_N, 1 / R_C, alpha), in which the model is linear, and the kink is at k = k_sat.
inline kinked_data kinked_data_of(std::vector<max_rate::point> points) {
    std::stable_sort(points.begin(), points.end(), [](auto const& a, auto const& b) { return a.pairs < b.pairs; });
    kinked_data data{static_cast<Eigen::Index>(points.size())};
    Eigen::Index i = 0;
    for (auto const& p : points) {
        data.at(i) = p.pairs;
        data.below.row(i) << 0, p.size.count(), 1;
        data.above.row(i) << p.pairs * p.size.count(), 0, 1;
        data.measured(i++) = p.time.count();
    }
    return data;
}

/// The smallest and the largest size.
inline std::pair<bytes, bytes> sizes_of(std::vector<max_rate::point> const& points) {
    auto const [first, last] =
        std::minmax_element(points.begin(), points.end(), [](auto const& a, auto const& b) { return a.size < b.size; });
    return {first->size, last->size};
}

inline kinked_data checked_data(std::vector<max_rate::point> const& points) {
    for (auto const& p : points) expect_time("max-rate", p.size, p.time, {"pairs", p.pairs});
    if (points.size() < 4)
        throw cannot_fit{"max-rate: three parameters need four points at least; there are " +
                         std::to_string(points.size())};
    auto const [from, to] = sizes_of(points);
    if (from == to)
        throw cannot_fit{"max-rate: latency and rates need two sizes at least; all points are of " +
                         sonde::detail::text_of(from.count()) + " B"};
    return kinked_data_of(points);
}

/// R_C where every number of pairs saturates the node: it is no slower, and how much faster cannot be told.
inline max_rate max_rate_of(kinked_fit const& found) {
    auto const& best = found.best().values;
    auto const per_byte = std::max(best(1), found.data().at(0) * best(0));
    return {seconds{best(2)}, rate{1 / per_byte}, rate{1 / best(0)}};
}

} // namespace detail

/// The max-rate model that fits points of all sizes and numbers of pairs together best, of all saturation points:
/// alpha [s], R_C, R_N [B/s], k_sat.
///
/// R_N is a lower bound where no number of pairs saturates the node, R_C where every one does, and both where times
/// hardly grow with the size; a bound holds with a probability of 97.5 %. Throws cannot_fit where there are fewer than
/// four points or two sizes, or where a point is none.
[[nodiscard]] inline fitted<max_rate> fit(std::vector<max_rate::point> const& points) {
    kinked_fit const found{detail::checked_data(points)};
    detail::max_rate_findings const say{found};
    fitted<max_rate> result;
    result.model = detail::max_rate_of(found);
    result.parameters = {say.alpha(), say.process(), say.node(), say.saturation()};
    result.residual_rms = found.rms();
    std::tie(result.from, result.to) = detail::sizes_of(points);
    result.points = points.size();
    result.condition = found.whole().condition();
    result.note = say.note();
    return settled(std::move(result));
}

} // namespace sonde::model
