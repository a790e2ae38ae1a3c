// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace sonde::inline v0_1 {

/// Estimate of the median of the distribution that a series is drawn from.
struct median_estimate {
    seconds value{};                             // the median
    double tau = 1;                              // autocorrelation time
    std::optional<confidence_interval> interval; // corrected by tau; empty for too few samples

    /// Half the width of the interval over the median; empty without an interval, and for a median of 0.
    std::optional<double> relative_error() const {
        if (!interval || !(value > seconds{})) return std::nullopt;
        return (interval->high - interval->low) / (2 * value);
    }
};

namespace detail {

/// An autocorrelation time, and the number of lags in its sum.
struct autocorrelation {
    double time = 1;
    std::size_t lags = 0;

    /// Two standard errors above the estimate from n times (Madras and Sokal).
    double upper_bound(std::size_t n) const {
        auto const terms = static_cast<double>(2 * lags + 1);
        return time * (1 + 2 * square_root(2 * terms / static_cast<double>(n)));
    }
};

/// The autocorrelation time of times with this median. The sum ends early once it is above `enough`.
autocorrelation sum_autocorrelation(std::span<seconds const> times, seconds median,
                                    double enough = std::numeric_limits<double>::max());

/// True for a correlated series shorter than 40 autocorrelation times, which is too short to estimate that time well.
bool is_correlated(std::size_t n, double tau);

/// True for a series shorter than four autocorrelation times of the AR(1) process with the same lag-1 autocorrelation.
/// The sum of autocorrelations cannot show this. If the memory of the process is longer than the series, the sum takes
/// the mean of the series for the mean of the process, and is always too low.
bool is_shorter_than_memory(std::span<seconds const> times);

/// The autocorrelation time that widens the confidence interval of a quantile of correlated times: the estimate, or its
/// upper bound if the series is shorter than 40 times the estimate (`is_correlated`). Empty if the series is too short
/// for an interval.
std::optional<double> widening_time(std::span<seconds const> times, autocorrelation const& found);

/// `estimate_median`; `tau(median)` returns the autocorrelation time that widens the interval.
median_estimate estimate_median_by(std::span<seconds const> times, double confidence, seconds resolution, auto tau) {
    order_statistics ordered{times};
    auto const median = quantile_of(ordered, 0.5);
    median_estimate found{median, tau(median), {}};
    found.interval = quantile_interval_of(ordered, 0.5, confidence, found.tau);
    if (found.interval && found.interval->high - found.interval->low < resolution) {
        auto const below = median - resolution / 2; // a time is negative only if clocks differ
        auto const low = below < seconds{} && !(median < seconds{}) ? seconds{} : below;
        found.interval = {low, low + resolution};
    }
    return found;
}

} // namespace detail

/// Integrated autocorrelation time of a series: the number of its samples that tell as much about the median as one
/// independent sample. 1 for independent or equal times, and for an empty series.
///
/// tau = 1 + 2 sum over k = 1, 2 .. of rho_k, the autocorrelation at lag k of [x_i < median] (1/2 at the median), until
/// rho_k <= 1 / sqrt(n), which is noise, or k = n / 4; at most 500 lags, so that an evaluation stays cheap.
[[nodiscard]] double autocorrelation_time(std::span<seconds const> times);

/// Upper bound of the autocorrelation time: two standard errors above the estimate. Few samples estimate this time
/// badly, most of all if a stopping rule chose their number. Throws std::invalid_argument for no times.
///
/// tau (1 + 2 sqrt(2 (2 m + 1) / n)), m the number of lags in the sum of tau (Madras and Sokal, The pivot algorithm,
/// Journal of Statistical Physics, 1988).
[[nodiscard]] double autocorrelation_time_bound(std::span<seconds const> times);

/// Estimate the median and its confidence interval, corrected by the autocorrelation time. The interval is not narrower
/// than `resolution`, because equal readings of a coarse clock do not mean precision. Throws std::invalid_argument for
/// no times.
///
/// A correlated series shorter than 40 autocorrelation times estimates that time badly. Its interval is corrected by
/// the upper bound (`autocorrelation_time_bound`). The interval is empty if the series is shorter than four times the
/// autocorrelation time that follows from the lag-1 autocorrelation.
[[nodiscard]] median_estimate estimate_median(std::span<seconds const> times, double confidence = 0.95,
                                              seconds resolution = {});

} // namespace sonde

#if SONDE_DEFINITIONS
#include <bit>
#include <cstdint>

namespace sonde::inline v0_1::detail {

/// A series of times x_i, as signs s_i: 1 for a time below the median, -1 above it, 0 for an equal time (frequent with
/// a coarse clock). The ranks of the median's interval depend on the autocovariance of the indicator
/// [x_i < median] = (1 + s_i) / 2, a quarter of the signs'. A sign is two bits, so that 64 products of signs are a few
/// operations on words.
class median_signs {
public:
    median_signs(std::span<seconds const> times, seconds median)
        : n_{times.size()}, unequal_(n_ / 64 + 2), above_(n_ / 64 + 2) {
        for (std::size_t i = 0; i != n_; ++i) {
            std::uint64_t const below = times[i] < median, above = median < times[i];
            unequal_[i / 64] |= (below | above) << i % 64;
            above_[i / 64] |= above << i % 64;
            sum_ += static_cast<double>(below) - static_cast<double>(above);
        }
    }
    /// Sum over i of (s_i - m) (s_(i + lag) - m), m the mean sign: four times the indicator's sum.
    /// Called for lags 0, 1, 2 .. in this order, because it updates two sums from lag to lag.
    double autocovariance(std::size_t lag) {
        if (lag == 0) head_ = tail_ = sum_;
        auto const n = static_cast<double>(n_), mean = sum_ / n;
        auto const value = product(lag) - mean * (head_ + tail_) + (n - static_cast<double>(lag)) * mean * mean;
        if (lag < n_) { // for the next lag
            head_ -= sign(n_ - 1 - lag);
            tail_ -= sign(lag);
        }
        return value;
    }

private:
    double sign(std::size_t i) const {
        if ((unequal_[i / 64] >> i % 64 & 1) == 0) return 0;
        return (above_[i / 64] >> i % 64 & 1) == 0 ? 1 : -1;
    }
    /// Sum over i of s_i s_(i + lag).
    double product(std::size_t lag) const {
        auto const words = lag / 64, shift = lag % 64;
        auto const shifted = [&](std::vector<std::uint64_t> const& bits, std::size_t i) {
            return shift == 0 ? bits[i] : bits[i] >> shift | bits[i + 1] << (64 - shift);
        };
        std::int64_t sum = 0;
        for (std::size_t i = 0; i + words + 1 < unequal_.size(); ++i) {
            auto const nonzero = unequal_[i] & shifted(unequal_, i + words);
            auto const negative = nonzero & (above_[i] ^ shifted(above_, i + words));
            sum += std::popcount(nonzero) - 2 * std::popcount(negative);
        }
        return static_cast<double>(sum);
    }

    std::size_t n_;
    std::vector<std::uint64_t> unequal_; // bit i % 64 of word i / 64: s_i is not 0; one more word, for shifts
    std::vector<std::uint64_t> above_;   // the same: s_i is -1
    double sum_ = 0;                     // of all signs
    double head_ = 0;                    // of all but the last `lag`
    double tail_ = 0;                    // of all but the first `lag`
};

SONDE_INLINE autocorrelation sum_autocorrelation(std::span<seconds const> times, seconds median, double enough) {
    constexpr std::size_t max_lags = 500;
    auto const n = times.size();
    median_signs signs{times, median};
    auto const variance = signs.autocovariance(0);
    auto const noise = 1 / square_root(static_cast<double>(n));
    auto const lags = n / 4 < max_lags ? n / 4 : max_lags;
    autocorrelation found;
    for (std::size_t k = 1; variance > 0 && k <= lags && found.time <= enough; ++k) {
        auto const rho = signs.autocovariance(k) / variance;
        if (rho <= noise) break;
        found.time += 2 * rho;
        found.lags = k;
    }
    return found;
}

SONDE_INLINE bool is_correlated(std::size_t n, double tau) { return tau > 1 && static_cast<double>(n) < 40 * tau; }

/// The lag-1 autocorrelation of times, one standard error above its estimate. Above 1 for a series that only drifts, 0
/// for equal times. The estimate takes the mean square of successive differences over twice the variance (von Neumann,
/// Annals of Mathematical Statistics, 1941). Times are clamped between the 5th and the 95th percentile, since a single
/// outlier would hide the correlation. The bias of the estimate, -(1 + 3 rho) / n, is corrected (Marriott and Pope,
/// Biometrika, 1954).
SONDE_INLINE double lag_one_bound(std::span<seconds const> times) {
    order_statistics ordered{times};
    auto const low = quantile_of(ordered, 0.05), high = quantile_of(ordered, 0.95);
    auto const clamped = [&](seconds t) { return (t < low ? low : high < t ? high : t).count(); };
    auto const n = static_cast<double>(times.size());
    double mean = 0, squares = 0, differences = 0;
    for (auto const t : times) mean += clamped(t) / n;
    for (std::size_t i = 0; i != times.size(); ++i) {
        auto const deviation = clamped(times[i]) - mean, step = i == 0 ? 0 : clamped(times[i]) - clamped(times[i - 1]);
        squares += deviation * deviation;
        differences += step * step;
    }
    if (!(squares > 0)) return 0;
    auto const rho = 1 - differences / (2 * squares);
    return rho + (1 + 3 * rho) / n + square_root((1 - rho * rho) / n);
}

SONDE_INLINE bool is_shorter_than_memory(std::span<seconds const> times) {
    auto const phi = lag_one_bound(times);
    return static_cast<double>(times.size()) * (1 - phi) < 4 * (1 + phi);
}

SONDE_INLINE std::optional<double> widening_time(std::span<seconds const> times, autocorrelation const& found) {
    if (!is_correlated(times.size(), found.time)) return found.time;
    if (is_shorter_than_memory(times)) return std::nullopt;
    return found.upper_bound(times.size());
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE double autocorrelation_time(std::span<seconds const> times) {
    return times.empty() ? 1 : detail::sum_autocorrelation(times, median(times)).time;
}

SONDE_INLINE double autocorrelation_time_bound(std::span<seconds const> times) {
    return detail::sum_autocorrelation(times, median(times)).upper_bound(times.size());
}

SONDE_INLINE median_estimate estimate_median(std::span<seconds const> times, double confidence, seconds resolution) {
    double tau = 1;
    std::optional<double> widening;
    auto found = detail::estimate_median_by(times, confidence, resolution, [&](seconds median) {
        auto const correlation = detail::sum_autocorrelation(times, median);
        tau = correlation.time;
        widening = detail::widening_time(times, correlation);
        return widening.value_or(tau);
    });
    found.tau = tau;
    if (!widening) found.interval.reset();
    return found;
}

} // namespace sonde

#endif
