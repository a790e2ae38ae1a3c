// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/ascending.hpp>
#include <sonde/detail/binomial.hpp>
#include <sonde/detail/view.hpp>
#include <sonde/statistics.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace sonde {

namespace detail {

/// I_i - mean(I), I_i = 1 where x_i is below the median, 0 above it, 1/2 where it is the median, as many readings of a
/// coarse clock are: what the ranks of a median interval depend on.
inline std::vector<double> centred_indicators(std::span<seconds const> times, seconds middle) {
    std::vector<double> found;
    found.reserve(times.size());
    double sum = 0;
    for (auto const t : times) sum += found.emplace_back(t < middle ? 1 : middle < t ? 0 : 0.5);
    for (auto& one : found) one -= sum / static_cast<double>(times.size());
    return found;
}

/// sum over i of v_i v_(i + lag).
inline double lagged_product(std::vector<double> const& v, std::size_t lag) {
    double sum = 0;
    for (std::size_t i = lag; i < v.size(); ++i) sum += v[i] * v[i - lag];
    return sum;
}

struct correlation {
    double time = 1;
    std::size_t lags = 0; // that its sum is over
};

/// `correlation_time` of times with this median.
inline correlation correlation_of(std::span<seconds const> times, seconds middle) {
    constexpr std::size_t most_lags = 500;
    auto const indicators = centred_indicators(times, middle);
    auto const variance = lagged_product(indicators, 0);
    auto const noise = 1 / square_root(static_cast<double>(times.size()));
    auto const lags = times.size() / 4 < most_lags ? times.size() / 4 : most_lags;
    correlation found;
    for (std::size_t k = 1; variance > 0 && k <= lags; ++k) {
        auto const rho = lagged_product(indicators, k) / variance;
        if (rho <= noise) break;
        found.time += 2 * rho;
        found.lags = k;
    }
    return found;
}

} // namespace detail

/// How many samples of a series tell as much about its median as one independent sample: 1 where they are independent.
///
/// tau = 1 + 2 sum over k = 1, 2 .. of rho_k, the autocorrelation at lag k of [x_i < median] (1/2 at the median), until
/// rho_k <= 1 / sqrt(n), which is noise, or k = n / 4; at most 500 lags, so that a look stays cheap. 1 for an empty
/// series and for one whose times are all the same.
[[nodiscard]] inline double correlation_time(std::span<seconds const> times) {
    return times.empty() ? 1 : detail::correlation_of(times, median(times)).time;
}

/// What the correlation time is rarely above: two standard errors more than it is found to be, since few samples tell
/// it badly, those least of which a rule picked the number.
///
/// tau (1 + 2 sqrt(2 (2 m + 1) / n)), m the lags that tau's sum is over (Madras and Sokal, The pivot algorithm, Journal
/// of Statistical Physics, 1988). Throws std::invalid_argument for no times.
[[nodiscard]] inline double correlation_time_bound(std::span<seconds const> times) {
    auto const found = detail::correlation_of(times, median(times));
    auto const n = static_cast<double>(times.size()), terms = static_cast<double>(2 * found.lags + 1);
    return found.time * (1 + 2 * detail::square_root(2 * terms / n));
}

/// What a series says of the median of what it is drawn from: it, its correlation time, and the interval corrected by
/// that; none when there are too few samples.
struct median_estimate {
    seconds value{};
    double tau = 1;
    std::optional<interval> between;

    /// Half of the interval's width, of the median; infinite without an interval.
    double relative_error() const {
        if (!between || !(value > seconds{})) return std::numeric_limits<double>::infinity();
        return (between->high - between->low) / (2 * value);
    }
};

/// The interval is no narrower than `resolution`: equal readings of a coarse clock are no precision.
[[nodiscard]] inline median_estimate estimate_median(std::span<seconds const> times, double confidence = 0.95,
                                                     seconds resolution = {}) {
    auto const sorted = detail::ascending({times.begin(), times.end()});
    auto const middle = quantile_of(detail::from(sorted), 0.5);
    median_estimate found{middle, detail::correlation_of(times, middle).time, {}};
    found.between = quantile_interval_of(detail::from(sorted), 0.5, confidence, found.tau);
    if (found.between && found.between->high - found.between->low < resolution)
        found.between = {found.value - resolution / 2, found.value + resolution / 2};
    return found;
}

} // namespace sonde
