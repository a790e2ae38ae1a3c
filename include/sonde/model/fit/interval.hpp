// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/result.hpp>

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

namespace sonde::model {

/// The quantile of Student's t whose both sides leave 5 % out.
[[nodiscard]] inline double student_quantile(double freedom) {
    if (!(freedom > 0)) return std::numeric_limits<double>::infinity();
    return boost::math::quantile(boost::math::students_t{freedom}, 0.975);
}

/// What a parameter is called, in which unit, of which segment.
struct label {
    std::string name;
    std::string unit;
    std::size_t segment = 0;
};

/// A parameter whose interval has ends that are apart by a larger factor is not determined, whatever its kind: not even
/// its order of magnitude is known.
inline constexpr double widest_interval = 10;

namespace detail {

inline parameter named(label as, double value, double low, double high) {
    return {std::move(as.name), std::move(as.unit), value, low, high, standing::determined, as.segment};
}

} // namespace detail

/// A parameter that is not negative and on which the model depends linearly: value +- t deviation.
///
/// Where that interval reaches zero, or is as wide as if it did (`widest_interval`), its end is an upper bound, which
/// then is the value too; where it lies below zero altogether, nothing is determined.
[[nodiscard]] inline parameter linear_parameter(label as, double value, double deviation, double freedom) {
    auto const reach = student_quantile(freedom) * deviation;
    auto p = detail::named(std::move(as), value, value - reach, value + reach);
    if (p.low > 0 && p.high <= widest_interval * p.low) return p;
    bool const bounded = std::isfinite(p.high) && p.high > 0;
    p.stands = bounded ? standing::upper_bound : standing::undetermined;
    p.low = 0;
    p.value = bounded ? p.high : std::max(0.0, value);
    if (!bounded) p.high = std::numeric_limits<double>::infinity();
    return p;
}

/// The reciprocal of such a parameter (a rate, of the time of a byte): an upper bound of that is a lower bound of this.
[[nodiscard]] inline parameter reciprocal_parameter(label as, double value, double deviation, double freedom) {
    auto p = linear_parameter(std::move(as), value, deviation, freedom);
    constexpr auto infinite = std::numeric_limits<double>::infinity();
    p.value = 1 / p.value;
    p.low = std::exchange(p.high, p.low > 0 ? 1 / p.low : infinite);
    p.low = std::isfinite(p.low) ? 1 / p.low : 0;
    if (p.stands == standing::upper_bound) p.stands = standing::lower_bound;
    return p;
}

} // namespace sonde::model
