// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sonde::inline v0_1 {

/// Confidence interval.
struct confidence_interval {
    seconds low{};  // lower end
    seconds high{}; // upper end
};

/// Numbers of outliers outside Tukey's fences.
struct outlier_counts {
    std::size_t below = 0; // the lower fence
    std::size_t above = 0; // the upper fence
};

namespace detail {

/// Span of a vector, from pointer and size. The constructor from a range costs each including file a tenth of its
/// compile time.
inline std::span<seconds const> as_span(std::vector<seconds> const& times) { return {times.data(), times.size()}; }

/// Square root of x, or 0 unless x is positive. Uses the builtin, since <cmath> would cost each including file 0.1 s.
inline double square_root(double x) { return x > 0 ? __builtin_sqrt(x) : 0; }

inline std::size_t rounded_up(double x) {
    auto const whole = static_cast<std::size_t>(x);
    return whole + (x > static_cast<double>(whole));
}

/// Ranks of two order statistics among n values, from 1.
struct rank_pair {
    std::size_t low;  // 0: no such rank
    std::size_t high; // n + 1: no such rank
};

/// The largest rank l with P(B <= l - 1) <= tail and the smallest u with P(B >= u) <= tail, ranks from 1.
rank_pair binomial_ranks(std::size_t n, double q, double tail);

/// P(B >= least), B ~ Bin(n, q); q is above 0.
double binomial_tail(std::size_t n, double q, std::size_t least);

/// Pseudorandom numbers below 2^31 from a fixed seed: the linear congruential generator of Knuth's MMIX. <random> would
/// cost every including file 0.1 s.
struct random_numbers {
    std::uint64_t state = 0;

    std::size_t operator()() {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::size_t>(state >> 33);
    }
};

/// Order statistics of times, each computed on demand by quickselect (Hoare, Algorithm 65, 1961), in time linear in the
/// number of times. A later selection starts from the partitions of earlier ones, unlike std::nth_element; and
/// <algorithm> would cost every including file 0.05 s.
class order_statistics {
public:
    explicit order_statistics(std::span<seconds const> times);

    std::size_t size() const { return times_.size(); }

    /// The time of rank k in ascending order, k from 0.
    seconds operator[](std::size_t k);

private:
    struct pivot_choice {
        seconds time;
        bool repeated; // the range is likely to contain several times equal to it
    };

    /// A time near rank k of [first, last), from a sorted random sample. The choice is shifted from k toward the middle
    /// of the range, so that k is likely to be in the shorter part (Floyd and Rivest, Expected time bounds for
    /// selection, 1975).
    pivot_choice choose_pivot(std::size_t first, std::size_t last, std::size_t k);

    /// Move the times that satisfy `in_front` to the front and return their end. No branch depends on a time.
    std::size_t partition(std::size_t first, std::size_t last, auto in_front) {
        auto end = first;
        for (auto i = first; i != last; ++i) {
            auto const t = times_[i];
            times_[i] = times_[end];
            times_[end] = t;
            end += static_cast<std::size_t>(in_front(t));
        }
        return end;
    }

    /// Record that no time before position `at` is above any time from `at` on.
    void add_bound(std::size_t right, std::size_t at);

    std::vector<seconds> times_;
    std::vector<std::size_t> bounds_; // ascending, from 0 to the number of times
    random_numbers random_;
};

seconds quantile_of(order_statistics& times, double q);

/// Throws std::invalid_argument, with the name of the number, unless it is at least 0 and below 1: a percentage would
/// pass for a hundred times as much.
void require_fraction(double number, char const* name);

/// Throws std::invalid_argument unless a confidence lies between 0 and 1.
void require_confidence(double confidence, char const* function);

std::optional<confidence_interval> quantile_interval_of(order_statistics& times, double q, double confidence,
                                                        double tau);

} // namespace detail

/// The q-quantile of times in any order, by linear interpolation between closest ranks (Hyndman and Fan 1996, type 7),
/// in linear time. Throws std::invalid_argument for no times or q outside 0 to 1.
[[nodiscard]] inline seconds quantile(std::span<seconds const> times, double q) {
    detail::order_statistics ordered{times};
    return detail::quantile_of(ordered, q);
}
/// The 1/2-quantile.
[[nodiscard]] inline seconds median(std::span<seconds const> times) { return quantile(times, 0.5); }

/// Confidence interval of the q-quantile, for any distribution of the times; empty for too few times. Throws
/// std::invalid_argument unless 0 < q < 1 and 0 < confidence < 1.
///
/// The interval is [x_(l), x_(u)]: l the largest rank with P(B <= l - 1) <= (1 - confidence) / 2, u the smallest with
/// P(B >= u) <= (1 - confidence) / 2, B ~ Bin(n, q) (David and Nagaraja, Order Statistics, 7.1). Autocorrelated times
/// tell as much as n / tau independent times, so both ranks are sqrt(tau) times as far from the middle.
[[nodiscard]] inline std::optional<confidence_interval> quantile_interval(std::span<seconds const> times, double q,
                                                                          double confidence = 0.95, double tau = 1) {
    detail::order_statistics ordered{times};
    return detail::quantile_interval_of(ordered, q, confidence, tau);
}
/// Confidence interval of the 1/2-quantile.
[[nodiscard]] inline std::optional<confidence_interval> median_interval(std::span<seconds const> times,
                                                                        double confidence = 0.95, double tau = 1) {
    return quantile_interval(times, 0.5, confidence, tau);
}

/// One-sided upper confidence bound of the q-quantile; empty for too few times. Throws std::invalid_argument unless
/// 0 < q < 1 and 0 < confidence < 1.
///
/// The bound is x_(u), u the smallest rank with P(B >= u) <= 1 - confidence, B ~ Bin(n, q); with an autocorrelation
/// time tau, u is sqrt(tau) times as far from n q, and at least 1.
[[nodiscard]] std::optional<seconds> quantile_bound(std::span<seconds const> times, double q, double confidence = 0.95,
                                                    double tau = 1);

/// Number of times outside Tukey's fences, 1.5 interquartile ranges from the quartiles (Exploratory Data Analysis,
/// 1977). Outliers are also farther from the quartiles than the resolution of the clock, so that the next reading is
/// not an outlier if most readings are equal. Outliers are counted, never dropped. Throws std::invalid_argument for no
/// times.
[[nodiscard]] outlier_counts tukey_outliers(std::span<seconds const> times, seconds resolution = {});

/// True if n independent samples suffice for a confidence bound of the q-quantile on the side of its tail. An upper
/// bound, for q >= 1/2, requires P(all below) = q^n <= 1 - confidence. A lower bound, for smaller q, requires P(all
/// above) = (1 - q)^n <= 1 - confidence. The first and the 99th percentile require 299 samples at 95 %. Throws
/// std::invalid_argument for q outside 0 to 1.
[[nodiscard]] bool enough_samples(std::size_t n, double q, double confidence = 0.95);

} // namespace sonde

#if SONDE_DEFINITIONS
#include <stdexcept>
#include <string>
#include <utility>

namespace sonde::inline v0_1::detail {

/// The probabilities P(B = k), B ~ Bin(n, q), 0 < q < 1, that are not negligible: the first k, and O(sqrt(n)) values.
/// They are computed by the recurrence from the mode outwards, which neither underflows at the start nor overflows in
/// between, and scaled to a sum of one.
SONDE_INLINE std::pair<std::size_t, std::vector<double>> binomial_probabilities(std::size_t n, double q) {
    constexpr double negligible = 1e-25;
    auto const odds = q / (1 - q);
    auto mode = static_cast<std::size_t>(static_cast<double>(n + 1) * q);
    if (mode > n) mode = n;
    std::vector<double> below, p;
    double sum = 1, last = 1;
    for (auto k = mode; k != 0 && last > negligible; --k) {
        below.push_back(last *= static_cast<double>(k) / (static_cast<double>(n - k + 1) * odds));
        sum += last;
    }
    for (auto i = below.size(); i != 0; --i) p.push_back(below[i - 1]);
    p.push_back(last = 1);
    for (auto k = mode; k != n && last > negligible; ++k) {
        p.push_back(last *= static_cast<double>(n - k) * odds / static_cast<double>(k + 1));
        sum += last;
    }
    for (auto& probability : p) probability /= sum;
    return {mode - below.size(), std::move(p)};
}

SONDE_INLINE rank_pair binomial_ranks(std::size_t n, double q, double tail) {
    auto const [first, p] = binomial_probabilities(n, q);
    auto const size = p.size();
    std::size_t low = 0, high = size;
    for (double below = p[0]; below <= tail && low + 1 != size; below += p[low]) ++low;
    for (double above = p[size - 1]; above <= tail && high != 1; above += p[high - 1]) --high;
    return {first + low, first + high};
}

SONDE_INLINE double binomial_tail(std::size_t n, double q, std::size_t least) {
    if (least == 0 || q >= 1) return 1;
    auto const [first, p] = binomial_probabilities(n, q);
    double sum = 0;
    for (auto i = p.size(); i != 0 && first + i > least; --i) sum += p[i - 1];
    return sum < 1 ? sum : 1;
}

/// The pair widened to sqrt(tau) times the distance from its middle, rounded outwards to whole ranks, among n values.
SONDE_INLINE rank_pair widened(rank_pair ranks, std::size_t n, double tau) {
    if (!(tau > 1) || ranks.low == 0 || ranks.high > n) return ranks;
    auto const low = static_cast<double>(ranks.low), high = static_cast<double>(ranks.high);
    auto const middle = (low + high) / 2, half = square_root(tau) * (high - low) / 2;
    auto const above = rounded_up(middle + half);
    return {middle - half < 1 ? 0 : static_cast<std::size_t>(middle - half), above > n ? n + 1 : above};
}

SONDE_INLINE order_statistics::order_statistics(std::span<seconds const> times)
    : times_(times.data(), times.data() + times.size()) {
    for (std::size_t const bound : {std::size_t{0}, times.size()}) bounds_.push_back(bound);
}

SONDE_INLINE seconds order_statistics::operator[](std::size_t k) {
    std::size_t right = 1;
    while (bounds_[right] <= k) ++right;
    for (;;) {
        auto const first = bounds_[right - 1], last = bounds_[right];
        if (last - first < 2) return times_[k];
        auto const chosen = choose_pivot(first, last, k);
        auto const pivot = chosen.time;
        auto const equal = partition(first, last, [&](seconds t) { return t < pivot; });
        add_bound(right, equal);
        if (k < equal) continue;
        right += equal != first;
        if (equal != first && !chosen.repeated) continue;
        auto const above = partition(equal, last, [&](seconds t) { return !(pivot < t); });
        if (k < above) return pivot; // no bound between equal times
        add_bound(right, above);
        ++right;
    }
}

SONDE_INLINE order_statistics::pivot_choice order_statistics::choose_pivot(std::size_t first, std::size_t last,
                                                                           std::size_t k) {
    constexpr std::size_t many = 33, few = 3, margin = 3;
    auto const n = last - first;
    auto const size = n < 20 * many ? few : many;
    seconds sample[many]{};
    for (std::size_t i = 0; i != size; ++i) {
        auto const t = times_[first + random_() % n];
        auto at = i;
        for (; at != 0 && t < sample[at - 1]; --at) sample[at] = sample[at - 1];
        sample[at] = t;
    }
    auto const expected = (k - first) * size / n;
    auto const shift = size == few ? 0 : margin;
    auto const at = 2 * (k - first) < n ? expected + shift : expected < shift ? 0 : expected - shift;
    auto const chosen = sample[at];
    return {chosen, (at != 0 && sample[at - 1] == chosen) || (at + 1 != size && sample[at + 1] == chosen)};
}

SONDE_INLINE void order_statistics::add_bound(std::size_t right, std::size_t at) {
    if (at == bounds_[right - 1] || at == bounds_[right]) return;
    bounds_.push_back(at);
    for (auto i = bounds_.size() - 1; i != right; --i) std::swap(bounds_[i], bounds_[i - 1]);
}

SONDE_INLINE seconds quantile_of(order_statistics& times, double q) {
    auto const n = times.size();
    if (n == 0 || !is_finite(q) || q < 0 || q > 1)
        throw std::invalid_argument{"sonde::quantile: needs times, and q from 0 to 1"};
    auto const position = q * static_cast<double>(n - 1);
    auto const rank = static_cast<std::size_t>(position);
    auto const fraction = position - static_cast<double>(rank);
    seconds const below = times[rank], above = fraction == 0 ? below : times[rank + 1];
    return above == below ? below : below + fraction * (above - below); // equal times may be infinite
}

SONDE_INLINE void require_probabilities(double q, double confidence, char const* function) {
    if (!(q > 0 && q < 1 && confidence > 0 && confidence < 1))
        throw std::invalid_argument{
            std::string{"sonde::"} + function +
            ": q and the confidence must lie between 0 and 1: 0.99 is the 99th percentile, 0.95 is 95 %"};
}

SONDE_INLINE void require_fraction(double number, char const* name) {
    if (!is_finite(number) || number < 0 || number >= 1)
        throw std::invalid_argument{std::string{name} + " must be at least 0 and below 1: 0.02 is 2 %"};
}

SONDE_INLINE void require_confidence(double confidence, char const* function) {
    if (!is_finite(confidence) || confidence <= 0 || confidence >= 1)
        throw std::invalid_argument{std::string{function} + ": the confidence must lie between 0 and 1: 0.95 is 95 %"};
}

SONDE_INLINE std::optional<confidence_interval> quantile_interval_of(order_statistics& times, double q,
                                                                     double confidence, double tau) {
    require_probabilities(q, confidence, "quantile_interval");
    auto const n = times.size();
    auto const ranks = widened(binomial_ranks(n, q, (1 - confidence) / 2), n, tau);
    if (ranks.low < 1 || ranks.high > n) return std::nullopt;
    return confidence_interval{times[ranks.low - 1], times[ranks.high - 1]};
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE std::optional<seconds> quantile_bound(std::span<seconds const> times, double q, double confidence,
                                                   double tau) {
    detail::require_probabilities(q, confidence, "quantile_bound");
    auto const n = times.size();
    auto const independent = static_cast<double>(detail::binomial_ranks(n, q, 1 - confidence).high);
    auto const expected = static_cast<double>(n) * q;
    auto const widened = tau > 1 ? expected + detail::square_root(tau) * (independent - expected) : independent;
    if (widened > static_cast<double>(n)) return std::nullopt;
    return detail::order_statistics{times}[widened < 1 ? 0 : detail::rounded_up(widened) - 1];
}

SONDE_INLINE outlier_counts tukey_outliers(std::span<seconds const> times, seconds resolution) {
    detail::order_statistics ordered{times};
    auto const first = detail::quantile_of(ordered, 0.25), third = detail::quantile_of(ordered, 0.75);
    auto const spread = 1.5 * (third - first), tick = 1.001 * resolution; // with a margin for rounding
    auto const fence = spread < tick ? tick : spread;
    outlier_counts found;
    for (auto const t : times) {
        found.below += t < first - fence;
        found.above += t > third + fence;
    }
    return found;
}

SONDE_INLINE bool enough_samples(std::size_t n, double q, double confidence) {
    if (!detail::is_finite(q) || q < 0 || q > 1)
        throw std::invalid_argument{"sonde::enough_samples: q must lie from 0 to 1: 0.99 is the 99th percentile"};
    auto const larger = q < 0.5 ? 1 - q : q;
    double all_on_one_side = 1;
    for (; n != 0 && all_on_one_side > 1 - confidence; --n) all_on_one_side *= larger;
    return all_on_one_side <= 1 - confidence;
}

} // namespace sonde

#endif
