// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/ascending.hpp>
#include <sonde/detail/binomial.hpp>
#include <sonde/detail/view.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace sonde {

struct interval {
    seconds low{};
    seconds high{};
};

/// The q-quantile of ascending times by linear interpolation between closest ranks (Hyndman and Fan 1996, type 7).
/// Throws std::invalid_argument for no times or q outside 0 to 1.
inline seconds quantile_of(std::span<seconds const> sorted, double q) {
    if (sorted.empty() || !(q >= 0 && q <= 1))
        throw std::invalid_argument{"sonde::quantile: needs times, and q from 0 to 1"};
    auto const position = q * static_cast<double>(sorted.size() - 1);
    auto const below = static_cast<std::size_t>(position);
    auto const above = below + 1 == sorted.size() ? below : below + 1;
    return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

inline seconds quantile(std::span<seconds const> times, double q) {
    return quantile_of(detail::from(detail::ascending({times.begin(), times.end()})), q);
}
inline seconds median(std::span<seconds const> times) { return quantile(times, 0.5); }

/// An interval that holds the q-quantile of what the times are drawn from, with this confidence and whatever their
/// distribution, if they are independent; none when there are too few. Throws std::invalid_argument unless 0 < q < 1
/// and 0 < confidence < 1.
///
/// [x_(l), x_(u)]: l the largest rank with P(B <= l - 1) <= (1 - confidence) / 2, u the smallest with
/// P(B >= u) <= (1 - confidence) / 2, B ~ Bin(n, q) (David and Nagaraja, Order Statistics, 7.1).
inline std::optional<interval> quantile_interval(std::span<seconds const> times, double q, double confidence = 0.95) {
    if (!(q > 0 && q < 1 && confidence > 0 && confidence < 1))
        throw std::invalid_argument{"sonde::quantile_interval: q and the confidence must lie between 0 and 1"};
    auto const ranks = detail::binomial_ranks(times.size(), q, (1 - confidence) / 2);
    if (ranks.low < 1 || ranks.high > times.size()) return std::nullopt;
    auto const sorted = detail::ascending({times.begin(), times.end()});
    return interval{sorted[ranks.low - 1], sorted[ranks.high - 1]};
}

inline std::optional<interval> median_interval(std::span<seconds const> times, double confidence = 0.95) {
    return quantile_interval(times, 0.5, confidence);
}

/// Are n samples enough to bound the q-quantile from above with this confidence? They are when P(all below) = q^n is at
/// most 1 - confidence: 299 for the 99th percentile at 95 %.
inline bool supports(std::size_t n, double q, double confidence = 0.95) {
    double all_below = 1;
    for (; n != 0 && all_below > 1 - confidence; --n) all_below *= q;
    return all_below <= 1 - confidence;
}

} // namespace sonde
