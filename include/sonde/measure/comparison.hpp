// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/measure/application_scope.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/stat/autocorrelation.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sonde::inline v0_1 {

/// Result of `compare`: a record of each alternative, equal on every rank as the record of `run` is. The first
/// alternative is the base. Samples with the same index belong to the same round.
struct comparison {
    std::vector<record> records;                    // one for each alternative
    std::optional<application_scope> application{}; // scope of the exchange in the application, set by the caller
};

/// Criterion for a significant difference: the minimum gain or loss (0.02: 2 %), and the confidence for all
/// alternatives together. What takes a criterion throws std::invalid_argument unless 0 <= gain < 1 and
/// 0 < confidence < 1.
struct criterion {
    double gain = 0;          // 0.02: 2 %
    double confidence = 0.95; // of all outcomes together
};

/// A comparison with the criterion by which it is reported: what a line of `json_lines` has.
struct reported_comparison {
    sonde::comparison comparison; // of records
    sonde::criterion criterion;   // of its outcomes
};

/// Outcome of a comparison with the base.
enum class outcome : unsigned char { undecided, faster, slower };

/// "undecided", "faster" or "slower".
[[nodiscard]] inline char const* to_string(outcome of) {
    constexpr char const* names[] = {"undecided", "faster", "slower"};
    return names[static_cast<unsigned char>(of)];
}

/// Confidence interval of a speed-up.
struct speedup_range {
    double low;  // lower end
    double high; // upper end
};

namespace detail {

inline void require_valid(criterion const& required) {
    require_fraction(required.gain, "sonde::criterion: the gain");
    require_confidence(required.confidence, "sonde::criterion");
}

/// The speed-ups base / other, as seconds, because the statistics take seconds. Times below the larger of `resolution`
/// and 1 ps count as that time, because a coarse clock may read 0.
std::vector<seconds> ratios(std::vector<seconds> const& base, std::vector<seconds> const& other, seconds resolution);

/// Half of the resolution divided by a time. At most 1 / 2, because a time below the resolution counts as the
/// resolution.
inline double half_tick(seconds resolution, seconds time) {
    return resolution > seconds{} ? resolution / (time < resolution ? resolution : time) / 2 : 0;
}

} // namespace detail

/// Speed-up of an alternative over the base: exp of the median over rounds of ln(t_base / t). 0 if one of the two has
/// no times (`has_times`): it has no interval either, and is undecided. Throws std::out_of_range if there is no such
/// alternative, and std::invalid_argument if there are no rounds.
[[nodiscard]] double speedup(comparison const& of, std::size_t alternative);

/// Confidence interval of the speed-up; empty for too few rounds. Throws what `speedup` throws.
///
/// It is the interval of the median by order statistics, so a disturbed round counts as one round however long it took.
/// With m alternatives beside the base, each interval misses the true value in at most (1 - confidence) / m of all
/// cases, so that all intervals hold together with this confidence (Bonferroni). The interval is corrected by the upper
/// bound of the autocorrelation time and not by its estimate, because a rule that is evaluated until the interval is
/// narrow stops when the estimate is too small. It includes the speed-ups of times that differ from the medians by half
/// a tick of the clock, so that one tick does not count as a difference.
[[nodiscard]] std::optional<speedup_range> speedup_interval(comparison const& of, std::size_t alternative,
                                                            double confidence = 0.95);

/// The smallest number of rounds in which a speed-up can have an interval, and so an outcome, with `count` alternatives
/// including the base. Two alternatives need 12 rounds; more alternatives or correlated rounds need more. The number of
/// rounds of `compare` is a multiple of `count`.
[[nodiscard]] std::size_t rounds_needed(std::size_t count, double confidence = 0.95);

/// The smallest number of rounds in which the speed-up of an alternative would have an interval, if its rounds stay as
/// correlated as they are. Empty if it has an interval already. Throws what `speedup` throws.
[[nodiscard]] std::optional<std::size_t> rounds_needed(comparison const& of, std::size_t alternative,
                                                       double confidence = 0.95);

/// Classify an alternative as faster or slower than the base. It is undecided if its speed-up has no interval, if the
/// interval is not entirely beyond the gain of the criterion, or if a clock was at fault (`flags::clock_fault`).
[[nodiscard]] outcome classify(comparison const& of, std::size_t alternative, criterion required = {});

/// The outcome in words, such as "faster". If the rounds are too few for any outcome but undecided, the text is
/// "undecided: 8 rounds of at least 14". Throws what `speedup` throws.
[[nodiscard]] std::string outcome_text(comparison const& of, std::size_t alternative, criterion required = {});

/// What an alternative would win in the application at most, as a share of the loop's time: by its speed-up, with the
/// ends of the speed-up's interval.
struct application_gain {
    double value; // `gain_in_application` of the speed-up; negative for a loss
    double low;   // of the interval's lower end
    double high;  // of the interval's upper end
};

/// What an alternative would win in the application (`comparison::application`). Empty without an application or a time
/// of its loop, for the base, and without an interval of the speed-up. Throws what `speedup` throws.
[[nodiscard]] std::optional<application_gain> gain_in_application(comparison const& of, std::size_t alternative,
                                                                  double confidence = 0.95);

namespace detail {

/// The speed-up of an alternative as reports show it: empty without times.
inline std::optional<double> speedup_of_times(comparison const& of, std::size_t alternative) {
    auto const found = speedup(of, alternative);
    return found > 0 ? std::optional{found} : std::nullopt;
}

/// The interval of an alternative's speed-up as reports show it: empty for the base, which is compared with itself.
inline std::optional<speedup_range> interval_over_base(comparison const& of, std::size_t alternative,
                                                       criterion required) {
    return alternative == 0 ? std::nullopt : speedup_interval(of, alternative, required.confidence);
}

/// The outcome as a word of a file, "base" for the base.
inline char const* outcome_word(comparison const& of, std::size_t alternative, criterion required) {
    return alternative == 0 ? "base" : to_string(classify(of, alternative, required));
}

} // namespace detail

/// Index of the alternative to use: among the alternatives faster than the base, the alternative with the largest
/// speed-up. 0, the base, if no alternative is faster.
[[nodiscard]] std::size_t fastest(comparison const& of, criterion required = {});

} // namespace sonde

#if SONDE_DEFINITIONS

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::vector<seconds> ratios(std::vector<seconds> const& base, std::vector<seconds> const& other,
                                         seconds resolution) {
    constexpr seconds shortest{1e-12};
    auto const least = resolution < shortest ? shortest : resolution;
    auto const at_least = [&](seconds t) { return t < least ? least : t; };
    std::vector<seconds> all;
    for (std::size_t i = 0; i != base.size(); ++i) all.emplace_back(at_least(base[i]) / at_least(other.at(i)));
    return all;
}

/// The speed-ups of all rounds; none if the base or the alternative has no times.
SONDE_INLINE std::vector<seconds> speedups(comparison const& of, std::size_t alternative) {
    if (alternative >= of.records.size())
        throw std::out_of_range{"sonde::comparison: there is no alternative " + std::to_string(alternative) + " of " +
                                std::to_string(of.records.size())};
    auto const &base = of.records.front(), &other = of.records[alternative];
    if (base.series.empty()) throw std::invalid_argument{"sonde::comparison: there are no rounds"};
    if (!has_times(base) || !has_times(other)) return {};
    auto const a = detail::sample_resolution(base), b = detail::sample_resolution(other);
    return detail::ratios(base.series, other.series, a < b ? b : a);
}

/// The range of the speed-up if both times differ from their medians by up to half a tick of the clock, with a margin
/// for rounding.
SONDE_INLINE speedup_range speedup_in_ticks(comparison const& of, std::size_t alternative, double speedup) {
    auto const half = [](record const& r) {
        return 1.000001 * half_tick(sample_resolution(r), median(detail::as_span(r.series)));
    };
    auto const base = half(of.records.at(0)), other = half(of.records.at(alternative));
    return {speedup * (1 - base) / (1 + other), speedup * (1 + base) / (1 - other)};
}

/// True if the median of n ratios has an interval. With m alternatives beside the base, each interval misses the true
/// value in at most (1 - confidence) / m of all cases.
SONDE_INLINE bool has_interval(std::size_t n, std::size_t others, double confidence, double tau) {
    auto const tail = (1 - confidence) / static_cast<double>(others) / 2;
    auto const ranks = widened(binomial_ranks(n, 0.5, tail), n, tau);
    return ranks.low != 0 && ranks.high <= n;
}

/// The smallest number of ratios, at least n, whose median has an interval if the autocorrelation does not change.
SONDE_INLINE std::size_t ratios_needed(std::size_t n, std::size_t others, double confidence, autocorrelation found) {
    require_confidence(confidence, "sonde::rounds_needed");
    while (!has_interval(n, others, confidence, found.upper_bound(n))) ++n;
    return n;
}

SONDE_INLINE std::size_t alternatives_beside_base(comparison const& of) {
    return of.records.size() < 2 ? std::size_t{1} : of.records.size() - 1;
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE double speedup(comparison const& of, std::size_t alternative) {
    auto const all = detail::speedups(of, alternative);
    if (all.empty()) return 0;
    detail::order_statistics ordered{detail::as_span(all)};
    auto const below = ordered[(all.size() - 1) / 2].count(), above = ordered[all.size() / 2].count();
    return below == above ? below : detail::square_root(below * above);
}

SONDE_INLINE std::optional<speedup_range> speedup_interval(comparison const& of, std::size_t alternative,
                                                           double confidence) {
    auto const all = detail::speedups(of, alternative);
    if (all.empty()) return std::nullopt;
    auto const tau = autocorrelation_time_bound(detail::as_span(all));
    auto const misses = (1 - confidence) / static_cast<double>(detail::alternatives_beside_base(of));
    auto const interval = median_interval(detail::as_span(all), 1 - misses, tau);
    if (!interval) return std::nullopt;
    speedup_range found{interval->low.count(), interval->high.count()};
    if (alternative == 0) return found; // the same times
    auto const ticks = detail::speedup_in_ticks(of, alternative, speedup(of, alternative));
    if (ticks.low < found.low) found.low = ticks.low;
    if (ticks.high > found.high) found.high = ticks.high;
    return found;
}

SONDE_INLINE std::size_t rounds_needed(std::size_t count, double confidence) {
    return detail::ratios_needed(1, count < 2 ? std::size_t{1} : count - 1, confidence, {});
}

SONDE_INLINE std::optional<std::size_t> rounds_needed(comparison const& of, std::size_t alternative,
                                                      double confidence) {
    auto const all = detail::speedups(of, alternative);
    if (all.empty()) return std::nullopt;
    auto const found = detail::sum_autocorrelation(detail::as_span(all), median(detail::as_span(all)));
    auto const least = detail::ratios_needed(all.size(), detail::alternatives_beside_base(of), confidence, found);
    return least == all.size() ? std::nullopt : std::optional{least};
}

SONDE_INLINE outcome classify(comparison const& of, std::size_t alternative, criterion required) {
    detail::require_valid(required);
    auto const interval = speedup_interval(of, alternative, required.confidence);
    auto const faulty = of.records.at(0).flags.clock_fault || of.records.at(alternative).flags.clock_fault;
    if (!interval || faulty) return outcome::undecided;
    if (interval->low > 1 + required.gain) return outcome::faster;
    return interval->high * (1 + required.gain) < 1 ? outcome::slower : outcome::undecided;
}

SONDE_INLINE std::string outcome_text(comparison const& of, std::size_t alternative, criterion required) {
    std::string text = to_string(classify(of, alternative, required));
    if (auto const needed = rounds_needed(of, alternative, required.confidence))
        text +=
            ": " + std::to_string(of.records.at(0).series.size()) + " rounds of at least " + std::to_string(*needed);
    return text;
}

SONDE_INLINE std::optional<application_gain> gain_in_application(comparison const& of, std::size_t alternative,
                                                                 double confidence) {
    if (!of.application || !(of.application->loop > seconds{}) || alternative == 0) return std::nullopt;
    auto const interval = speedup_interval(of, alternative, confidence);
    if (!interval) return std::nullopt;
    auto const share = of.application->transfer / of.application->loop;
    auto const gain_of = [&](double speedup) { return gain_in_application(speedup, share); };
    return application_gain{gain_of(speedup(of, alternative)), gain_of(interval->low), gain_of(interval->high)};
}

SONDE_INLINE std::size_t fastest(comparison const& of, criterion required) {
    detail::require_valid(required);
    std::size_t best = 0;
    double most = 0;
    for (std::size_t i = 1; i < of.records.size(); ++i) {
        auto const gain = classify(of, i, required) == outcome::faster ? speedup(of, i) : 0;
        if (!(gain > most)) continue;
        best = i;
        most = gain;
    }
    return best;
}

} // namespace sonde

#endif
