// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/bound.hpp>
#include <sonde/model/fit/interval.hpp>
#include <sonde/model/fit/kinked_fit.hpp>

#include <cmath>
#include <utility>

namespace sonde::model::detail {

/// u, v or w; an upper bound where it may be nothing.
inline parameter ranged(label as, kinked_fit const& fit, int which) {
    auto const value = fit.best().values(which);
    auto const [low, high] = fit.ranges().of(which);
    if (!std::isfinite(high)) return unknown(std::move(as), value);
    return low > 0 ? named(std::move(as), value, low, high) : at_most(std::move(as), high);
}

/// A rate: the reciprocal of u or v; a lower bound where that may be nothing, or where no more is to be said.
inline parameter ranged_rate(label as, kinked_fit const& fit, int which, bool only_bound) {
    auto const value = 1 / fit.best().values(which);
    auto const [low, high] = only_bound ? fit.bounds(which) : fit.ranges().of(which);
    if (!std::isfinite(high) || !(high > 0)) return unknown(std::move(as), value);
    if (low > 0 && !only_bound) return named(std::move(as), value, 1 / high, 1 / low);
    return at_least(std::move(as), 1 / high);
}

/// The kink, with the interval of those that the data allow: it need not be as wide on both sides, since what a point
/// says of the kink depends on the side on which it is.
inline parameter ranged_kink(label as, kinked_fit const& fit) {
    auto const [low, high] = fit.ranges().kink();
    return named(std::move(as), fit.best().kink(), low, high);
}

} // namespace sonde::model::detail
