// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/record.hpp>
#include <sonde/stat/autocorrelation.hpp>
#include <sonde/stat/histogram.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <vector>

namespace sonde {

// Metrics of records, over the samples of the slowest rank. A record without initiators has no times (`has_times`): its
// metrics are 0 if they are numbers, and empty if they are optional or a histogram; reporters show "-", an empty field
// or null. No metric is NaN or infinite: a rate over no time is 0.

/// False for a record of a group without initiators, whose times are not measurements. Records made by hand may leave
/// `ranks` 0.
[[nodiscard]] inline bool has_times(record const& r) { return r.initiators != 0 || r.ranks == 0; }

namespace detail {

/// A count per second; 0 for no time.
inline double per_second(std::size_t count, seconds time) {
    return time > seconds{} ? static_cast<double>(count) / time.count() : 0;
}

} // namespace detail

/// Histogram of all samples: the series, and the samples beyond its capacity.
[[nodiscard]] inline histogram histogram_of(record const& r) {
    if (!has_times(r)) return {};
    auto all = r.overflow.empty() ? histogram{} : r.overflow.front();
    for (auto const t : r.series) all.add(t);
    return all;
}

[[nodiscard]] inline std::size_t sample_count(record const& r) {
    return r.series.size() + (r.overflow.empty() ? 0 : static_cast<std::size_t>(r.overflow.front().count()));
}

/// The q-quantile of all samples. If there are samples beyond the capacity of the series, its relative error is up to
/// 2^-8.
template <std::same_as<record> R> // not for a list in braces, which is a list of times
[[nodiscard]] seconds quantile(R const& r, double q) {
    if (!has_times(r)) return {};
    return r.overflow.empty() ? quantile(detail::as_span(r.series), q) : histogram_of(r).quantile(q);
}

/// Median of all samples. Unlike the mean, it is not moved by a preempted iteration.
[[nodiscard]] inline seconds median(record const& r) { return quantile(r, 0.5); }

/// Mean of all samples.
[[nodiscard]] inline seconds mean(record const& r) {
    if (!has_times(r) || sample_count(r) == 0) return {};
    seconds sum = r.overflow.empty() ? seconds{} : r.overflow.front().sum();
    for (auto const t : r.series) sum += t;
    return sum / static_cast<double>(sample_count(r));
}

// Latency and rates take the time of an iteration as an argument, because suites prescribe different estimators. By
// default it is the median.

/// One-way latency: the time of an iteration over its hops.
[[nodiscard]] inline seconds latency(record const& r, seconds iteration) { return iteration / r.total.hops; }
[[nodiscard]] inline seconds latency(record const& r) { return latency(r, median(r)); }

/// Bandwidth of all initiators together, in bytes per second.
[[nodiscard]] inline double bandwidth(record const& r, seconds iteration) {
    return detail::per_second(r.total.bytes, iteration);
}
[[nodiscard]] inline double bandwidth(record const& r) { return bandwidth(r, median(r)); }

/// Message rate of all initiators together, in messages per second.
[[nodiscard]] inline double message_rate(record const& r, seconds iteration) {
    return detail::per_second(r.total.messages, iteration);
}
[[nodiscard]] inline double message_rate(record const& r) { return message_rate(r, median(r)); }

/// Bus bandwidth in bytes per second: the load of the busiest link under a bandwidth-optimal algorithm of the
/// collective, comparable with the speed of the hardware for any number of ranks (PERFORMANCE.md of nccl-tests).
[[nodiscard]] inline double bus_bandwidth(record const& r, seconds iteration) {
    return r.total.bus_factor * bandwidth(r, iteration);
}
[[nodiscard]] inline double bus_bandwidth(record const& r) { return bus_bandwidth(r, median(r)); }

/// The 100 q-th percentile of all samples; empty if they are too few (`enough_samples`).
[[nodiscard]] inline std::optional<seconds> percentile(record const& r, double q) {
    if (!has_times(r) || !enough_samples(sample_count(r), q)) return std::nullopt;
    return quantile(r, q);
}

/// One-sided upper confidence bound of the 100 q-th percentile of the series; empty for too few samples. It is
/// corrected by the autocorrelation time as the interval of `estimate_median` is.
[[nodiscard]] inline std::optional<seconds> percentile_bound(record const& r, double q, double confidence = 0.95) {
    if (!has_times(r)) return std::nullopt;
    auto const times = detail::as_span(r.series);
    auto const tau = detail::widening_time(times, detail::sum_autocorrelation(times, median(times)));
    return tau ? quantile_bound(times, q, confidence, *tau) : std::nullopt;
}

/// Estimate of the median of the series, with a confidence interval that is corrected by the autocorrelation time and
/// not narrower than the resolution of the clock. The interval is valid within this launch; launches differ by more. It
/// is wider, or empty, if the record is flagged `correlated`.
[[nodiscard]] inline median_estimate estimate_median(record const& r, double confidence = 0.95) {
    if (!has_times(r)) return {};
    return estimate_median(detail::as_span(r.series), confidence, detail::sample_resolution(r));
}

/// The confidence interval of `estimate_median`; empty for too few samples.
[[nodiscard]] inline std::optional<confidence_interval> median_interval(record const& r, double confidence = 0.95) {
    return estimate_median(r, confidence).interval;
}

/// Number of outliers in the series.
[[nodiscard]] inline outlier_counts tukey_outliers(record const& r) {
    return tukey_outliers(detail::as_span(r.series), detail::sample_resolution(r));
}

/// Stragglers: ranks that are the slowest rank significantly often, in ascending order. Empty on ranks other than 0,
/// because only rank 0 has the record's slowest counts. Check for them before times are aggregated over ranks (Hoefler
/// and Belli, SC15, rule 10).
///
/// Rank r is a straggler if a_r, the number of samples in which it was the slowest, ties included, reaches the least u
/// with Pr(B >= u) <= 0.01 / P, B ~ Bin(n / tau, p), p = sum of all a / (n P), P the number of initiators. An operation
/// with a root or a tree has stragglers on any host, so call a host slow only if several patterns show it.
template <std::same_as<record> R> // compiled only where it is called
[[nodiscard]] std::vector<int> stragglers(R const& r) {
    auto const n = static_cast<double>(r.stop.samples), ranks = static_cast<double>(r.initiators);
    double all = 0;
    for (auto const a : r.slowest_counts) all += static_cast<double>(a);
    if (r.initiators < 2 || r.stop.samples == 0) return {};
    auto const p = all / (n * ranks);
    if (!(p > 0 && p < 1)) return {};
    auto const independent = static_cast<std::size_t>(n / autocorrelation_time(detail::as_span(r.series)));
    auto const too_often = static_cast<double>(detail::binomial_ranks(independent, p, 0.01 / ranks).high);
    std::vector<int> found;
    for (std::size_t rank = 0; rank != r.slowest_counts.size(); ++rank)
        if (static_cast<double>(r.slowest_counts[rank]) / n * static_cast<double>(independent) >= too_often)
            found.push_back(static_cast<int>(rank));
    return found;
}

} // namespace sonde
