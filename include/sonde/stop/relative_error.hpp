// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/correlation.hpp>
#include <sonde/stop.hpp>

#include <cstddef>

namespace sonde {

namespace detail {

/// The least n_j = ceil(30 * 1.25^j) above n.
inline std::size_t look_after(std::size_t n) {
    double at = 30;
    while (at <= static_cast<double>(n)) at *= 1.25;
    return rounded_up(at);
}

} // namespace detail

/// Until the interval of the median is narrow: half its width at most `limit` of the median, 0.02 for 2 %.
///
/// Looks at n = ceil(30 * 1.25^j), since looking often makes an interval hold less than it says; stops when
/// n >= 40 tau and the interval, corrected by the correlation time tau and no narrower than the clock can tell, is
/// within the limit (`estimate_median`). Alone it may never stop: combine it with a budget, `relative_error{0.01} ||
/// time_budget{1s}`. Stops as well, for the reason `samples`, where the record holds no more of them.
struct relative_error {
    double limit;
    double confidence = 0.95;

    std::size_t next(std::size_t n) const { return detail::look_after(n) - n; }
    verdict operator()(look const& l) const {
        auto const n = l.samples;
        if (n > l.series.size()) return {true, stop_reason::samples};
        if (detail::look_after(n - l.block.size()) > n) return {}; // somebody else's look
        auto const found = estimate_median(l.series, confidence, l.resolution);
        return {static_cast<double>(n) >= 40 * found.tau && found.relative_error() <= limit, stop_reason::precision};
    }
};

} // namespace sonde
