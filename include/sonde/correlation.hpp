// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/binomial.hpp>
#include <sonde/detail/order_statistics.hpp>
#include <sonde/statistics.hpp>
#include <sonde/time.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace sonde {

namespace detail {

/// The sign of each time's distance from the median: 1 below it, -1 above, 0 at it, as many readings of a coarse clock
/// are. The indicator [x_i < median] (1/2 at the median) is (1 + sign) / 2; the ranks of a median interval depend on
/// it. Kept as bits, since an autocovariance is then a count of bits.
class median_signs {
public:
    median_signs(std::span<seconds const> times, seconds middle)
        : n_{times.size()}, apart_(n_ / 64 + 2), above_(n_ / 64 + 2) {
        for (std::size_t i = 0; i != n_; ++i) {
            std::uint64_t const below = times[i] < middle, above = middle < times[i];
            apart_[i / 64] |= (below | above) << i % 64;
            above_[i / 64] |= above << i % 64;
            sum_ += static_cast<double>(below) - static_cast<double>(above);
        }
        head_ = tail_ = sum_;
    }

    /// Four times the sum over i of v_i v_(i + lag), v_i the indicator less its mean. Lags in ascending order from 0.
    double autocovariance(std::size_t lag) {
        auto const n = static_cast<double>(n_), mean = sum_ / n;
        auto const value = product(lag) - mean * (head_ + tail_) + (n - static_cast<double>(lag)) * mean * mean;
        if (lag < n_) { // for the next lag: sums without the last lag + 1 and without the first lag + 1 signs
            head_ -= sign(n_ - 1 - lag);
            tail_ -= sign(lag);
        }
        return value;
    }

private:
    double sign(std::size_t i) const {
        if ((apart_[i / 64] >> i % 64 & 1) == 0) return 0;
        return (above_[i / 64] >> i % 64 & 1) == 0 ? 1 : -1;
    }
    /// Sum over i of sign_i sign_(i + lag).
    double product(std::size_t lag) const {
        auto const words = lag / 64, shift = lag % 64;
        auto const shifted = [&](std::vector<std::uint64_t> const& bits, std::size_t i) {
            return shift == 0 ? bits[i] : bits[i] >> shift | bits[i + 1] << (64 - shift);
        };
        std::int64_t sum = 0;
        for (std::size_t i = 0; i + words < apart_.size() - 1; ++i) {
            auto const both = apart_[i] & shifted(apart_, i + words);
            auto const unlike = both & (above_[i] ^ shifted(above_, i + words));
            sum += std::popcount(both) - 2 * std::popcount(unlike);
        }
        return static_cast<double>(sum);
    }

    std::size_t n_;
    std::vector<std::uint64_t> apart_; // sign is not 0; one word more than the signs need, for shifts
    std::vector<std::uint64_t> above_;
    double sum_ = 0;
    double head_ = 0;
    double tail_ = 0;
};

struct correlation {
    double time = 1;
    std::size_t lags = 0; // that its sum is over
};

/// `correlation_time` of times with this median, or a part of it that is above `enough`.
inline correlation correlation_of(std::span<seconds const> times, seconds middle,
                                  double enough = std::numeric_limits<double>::infinity()) {
    constexpr std::size_t most_lags = 500;
    median_signs signs{times, middle};
    auto const variance = signs.autocovariance(0);
    auto const noise = 1 / square_root(static_cast<double>(times.size()));
    auto const lags = times.size() / 4 < most_lags ? times.size() / 4 : most_lags;
    correlation found;
    for (std::size_t k = 1; variance > 0 && k <= lags && found.time <= enough; ++k) {
        auto const rho = signs.autocovariance(k) / variance;
        if (rho <= noise) break;
        found.time += 2 * rho;
        found.lags = k;
    }
    return found;
}

/// `correlation_time_bound` of times with this median.
inline double correlation_bound_of(std::span<seconds const> times, seconds middle) {
    auto const found = correlation_of(times, middle);
    auto const n = static_cast<double>(times.size()), terms = static_cast<double>(2 * found.lags + 1);
    return found.time * (1 + 2 * square_root(2 * terms / n));
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
    return detail::correlation_bound_of(times, median(times));
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

namespace detail {

/// `tau` of a median gives the correlation time that widens the interval.
template <class Tau>
median_estimate estimate_median_by(std::span<seconds const> times, double confidence, seconds resolution, Tau tau) {
    order_statistics ordered{times};
    auto const middle = quantile_in(ordered, 0.5);
    median_estimate found{middle, tau(middle), {}};
    found.between = quantile_interval_in(ordered, 0.5, confidence, found.tau);
    if (found.between && found.between->high - found.between->low < resolution)
        found.between = {found.value - resolution / 2, found.value + resolution / 2};
    return found;
}

/// `estimate_median` where its correlation time is at most `enough`; else with a part of it that is above.
inline median_estimate estimate_median_up_to(std::span<seconds const> times, double confidence, seconds resolution,
                                             double enough) {
    return estimate_median_by(times, confidence, resolution,
                              [&](seconds middle) { return correlation_of(times, middle, enough).time; });
}

} // namespace detail

/// The interval is no narrower than `resolution`: equal readings of a coarse clock are no precision.
[[nodiscard]] inline median_estimate estimate_median(std::span<seconds const> times, double confidence = 0.95,
                                                     seconds resolution = {}) {
    return detail::estimate_median_up_to(times, confidence, resolution, std::numeric_limits<double>::infinity());
}

} // namespace sonde
