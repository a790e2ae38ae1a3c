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
[[nodiscard]] inline seconds quantile_of(std::span<seconds const> sorted, double q) {
    if (sorted.empty() || !(q >= 0 && q <= 1))
        throw std::invalid_argument{"sonde::quantile: needs times, and q from 0 to 1"};
    auto const position = q * static_cast<double>(sorted.size() - 1);
    auto const below = static_cast<std::size_t>(position);
    auto const above = below + 1 == sorted.size() ? below : below + 1;
    return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

[[nodiscard]] inline seconds quantile(std::span<seconds const> times, double q) {
    return quantile_of(detail::from(detail::ascending({times.begin(), times.end()})), q);
}
[[nodiscard]] inline seconds median(std::span<seconds const> times) { return quantile(times, 0.5); }

/// `quantile_interval` of ascending times.
[[nodiscard]] inline std::optional<interval> quantile_interval_of(std::span<seconds const> sorted, double q,
                                                                  double confidence, double tau) {
    if (!(q > 0 && q < 1 && confidence > 0 && confidence < 1))
        throw std::invalid_argument{"sonde::quantile_interval: q and the confidence must lie between 0 and 1"};
    auto const n = sorted.size();
    auto const ranks = detail::widened(detail::binomial_ranks(n, q, (1 - confidence) / 2), n, tau);
    if (ranks.low < 1 || ranks.high > n) return std::nullopt;
    return interval{sorted[ranks.low - 1], sorted[ranks.high - 1]};
}

/// An interval that holds the q-quantile of what the times are drawn from, with this confidence and whatever their
/// distribution; none when there are too few. Throws std::invalid_argument unless 0 < q < 1 and 0 < confidence < 1.
///
/// [x_(l), x_(u)]: l the largest rank with P(B <= l - 1) <= (1 - confidence) / 2, u the smallest with
/// P(B >= u) <= (1 - confidence) / 2, B ~ Bin(n, q) (David and Nagaraja, Order Statistics, 7.1). Times that depend on
/// those before tell as much as n / tau independent ones, so with a correlation time tau both ranks are sqrt(tau) times
/// as far from the middle.
[[nodiscard]] inline std::optional<interval> quantile_interval(std::span<seconds const> times, double q,
                                                               double confidence = 0.95, double tau = 1) {
    return quantile_interval_of(detail::from(detail::ascending({times.begin(), times.end()})), q, confidence, tau);
}

[[nodiscard]] inline std::optional<interval> median_interval(std::span<seconds const> times, double confidence = 0.95,
                                                             double tau = 1) {
    return quantile_interval(times, 0.5, confidence, tau);
}

/// The time that the q-quantile of what the times are drawn from is not above, with this confidence; none when there
/// are too few. One-sided: x_(u), u the smallest rank with P(B >= u) <= 1 - confidence, B ~ Bin(n, q); with a
/// correlation time tau sqrt(tau) times as far from n q.
[[nodiscard]] inline std::optional<seconds> quantile_bound(std::span<seconds const> times, double q,
                                                           double confidence = 0.95, double tau = 1) {
    if (!(q > 0 && q < 1 && confidence > 0 && confidence < 1))
        throw std::invalid_argument{"sonde::quantile_bound: q and the confidence must lie between 0 and 1"};
    auto const n = times.size();
    auto const independent = static_cast<double>(detail::binomial_ranks(n, q, 1 - confidence).high);
    auto const expected = static_cast<double>(n) * q;
    auto const rank =
        detail::rounded_up(tau > 1 ? expected + detail::square_root(tau) * (independent - expected) : independent);
    if (rank > n) return std::nullopt;
    return detail::ascending({times.begin(), times.end()})[rank - 1];
}

/// How many times lie outside Tukey's fences, 1.5 interquartile ranges from the quartiles (Exploratory Data Analysis,
/// 1977). They are counted, never dropped.
struct outliers {
    std::size_t below = 0;
    std::size_t above = 0;
};
[[nodiscard]] inline outliers outside_fences(std::span<seconds const> times) {
    auto const sorted = detail::ascending({times.begin(), times.end()});
    auto const first = quantile_of(detail::from(sorted), 0.25), third = quantile_of(detail::from(sorted), 0.75);
    auto const reach = 1.5 * (third - first);
    outliers found;
    for (auto const t : sorted) {
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
