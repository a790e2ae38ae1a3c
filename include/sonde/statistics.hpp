// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/binomial.hpp>
#include <sonde/detail/order_statistics.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

namespace sonde {

struct interval {
    seconds low{};
    seconds high{};
};

namespace detail {

/// Linear interpolation between closest ranks (Hyndman and Fan 1996, type 7) of times that `at(k)` gives by rank.
template <class At>
seconds interpolated_quantile(std::size_t n, double q, At&& at) {
    if (n == 0 || !(q >= 0 && q <= 1)) throw std::invalid_argument{"sonde::quantile: needs times, and q from 0 to 1"};
    auto const position = q * static_cast<double>(n - 1);
    auto const rank = static_cast<std::size_t>(position);
    auto const part = position - static_cast<double>(rank);
    seconds const below = at(rank), above = part == 0 ? below : at(rank + 1);
    return above == below ? below : below + part * (above - below); // equal ones may be infinite
}

[[nodiscard]] inline seconds quantile_in(order_statistics& times, double q) {
    return interpolated_quantile(times.size(), q, [&](std::size_t k) { return times[k]; });
}

inline void require_probabilities(double q, double confidence, char const* what) {
    if (!(q > 0 && q < 1 && confidence > 0 && confidence < 1))
        throw std::invalid_argument{std::string{"sonde::"} + what + ": q and the confidence must lie between 0 and 1"};
}

[[nodiscard]] inline std::optional<interval> quantile_interval_in(order_statistics& times, double q, double confidence,
                                                                  double tau) {
    require_probabilities(q, confidence, "quantile_interval");
    auto const n = times.size();
    auto const ranks = widened(binomial_ranks(n, q, (1 - confidence) / 2), n, tau);
    if (ranks.low < 1 || ranks.high > n) return std::nullopt;
    return interval{times[ranks.low - 1], times[ranks.high - 1]};
}

} // namespace detail

/// The q-quantile of ascending times by linear interpolation between closest ranks (Hyndman and Fan 1996, type 7).
/// Throws std::invalid_argument for no times or q outside 0 to 1.
[[nodiscard]] inline seconds quantile_of(std::span<seconds const> sorted, double q) {
    return detail::interpolated_quantile(sorted.size(), q, [&](std::size_t k) { return sorted[k]; });
}

/// The same of times in any order, in linear time.
[[nodiscard]] inline seconds quantile(std::span<seconds const> times, double q) {
    detail::order_statistics ordered{times};
    return detail::quantile_in(ordered, q);
}
[[nodiscard]] inline seconds median(std::span<seconds const> times) { return quantile(times, 0.5); }

/// An interval that holds the q-quantile of what the times are drawn from, with this confidence and whatever their
/// distribution; none when there are too few. Throws std::invalid_argument unless 0 < q < 1 and 0 < confidence < 1.
///
/// [x_(l), x_(u)]: l the largest rank with P(B <= l - 1) <= (1 - confidence) / 2, u the smallest with
/// P(B >= u) <= (1 - confidence) / 2, B ~ Bin(n, q) (David and Nagaraja, Order Statistics, 7.1). Times that depend on
/// those before tell as much as n / tau independent ones, so with a correlation time tau both ranks are sqrt(tau) times
/// as far from the middle.
[[nodiscard]] inline std::optional<interval> quantile_interval(std::span<seconds const> times, double q,
                                                               double confidence = 0.95, double tau = 1) {
    detail::order_statistics ordered{times};
    return detail::quantile_interval_in(ordered, q, confidence, tau);
}

[[nodiscard]] inline std::optional<interval> median_interval(std::span<seconds const> times, double confidence = 0.95,
                                                             double tau = 1) {
    return quantile_interval(times, 0.5, confidence, tau);
}

/// One-sided upper confidence bound of the q-quantile; none when there are too few times: x_(u), u the smallest rank
/// with P(B >= u) <= 1 - confidence, B ~ Bin(n, q); with a correlation time tau, sqrt(tau) times as far from n q.
/// Throws std::invalid_argument unless 0 < q < 1 and 0 < confidence < 1.
[[nodiscard]] inline std::optional<seconds> quantile_bound(std::span<seconds const> times, double q,
                                                           double confidence = 0.95, double tau = 1) {
    detail::require_probabilities(q, confidence, "quantile_bound");
    auto const n = times.size();
    auto const independent = static_cast<double>(detail::binomial_ranks(n, q, 1 - confidence).high);
    auto const expected = static_cast<double>(n) * q;
    auto const rank =
        detail::rounded_up(tau > 1 ? expected + detail::square_root(tau) * (independent - expected) : independent);
    if (rank > n) return std::nullopt;
    return detail::order_statistics{times}[rank - 1];
}

/// How many times lie outside Tukey's fences, 1.5 interquartile ranges from the quartiles (Exploratory Data Analysis,
/// 1977). They are counted, never dropped.
struct outliers {
    std::size_t below = 0;
    std::size_t above = 0;
};
inline outliers outside_fences(std::span<seconds const> times) {
    detail::order_statistics ordered{times};
    auto const first = detail::quantile_in(ordered, 0.25), third = detail::quantile_in(ordered, 0.75);
    auto const reach = 1.5 * (third - first);
    outliers found;
    for (auto const t : times) {
        found.below += t < first - reach;
        found.above += t > third + reach;
    }
    return found;
}

/// Are n independent samples enough to bound the q-quantile from above with this confidence? They are when P(all below)
/// = q^n is at most 1 - confidence: 299 for the 99th percentile at 95 %.
[[nodiscard]] inline bool supports(std::size_t n, double q, double confidence = 0.95) {
    double all_below = 1;
    for (; n != 0 && all_below > 1 - confidence; --n) all_below *= q;
    return all_below <= 1 - confidence;
}

} // namespace sonde
