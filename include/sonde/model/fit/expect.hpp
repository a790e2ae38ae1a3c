// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/fit/result.hpp>
#include <sonde/record.hpp>

#include <cmath>
#include <string>
#include <string_view>

namespace sonde::model::detail {

/// What there was of each point beside its size: "pairs" 4.
struct counted {
    std::string_view what;
    double number = 1;
};

inline bool is_point(bytes size, counted const& of, seconds time) {
    return std::isfinite(size.count()) && size.count() >= 0 && std::isfinite(of.number) && of.number >= 1 &&
           std::isfinite(time.count()) && time.count() > 0;
}

/// Throws cannot_fit, which tells the point, where a size is negative, a number below one, a time not positive, or one
/// of them not finite.
///
///     expect_time("max-rate", p.size, p.time, {"pairs", p.pairs});
inline void expect_time(std::string_view model, bytes size, seconds time, counted const& of = {}) {
    if (is_point(size, of, time)) return;
    auto words = std::string{model} + ": a message of " + sonde::detail::text_of(size.count()) + " B";
    if (!of.what.empty()) words.append(", ").append(of.what).append(" ").append(sonde::detail::text_of(of.number));
    throw cannot_fit{words + ", in " + sonde::detail::text_of(time.count()) + " s"};
}

} // namespace sonde::model::detail
