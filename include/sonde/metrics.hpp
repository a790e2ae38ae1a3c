// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/correlation.hpp>
#include <sonde/detail/view.hpp>
#include <sonde/histogram.hpp>
#include <sonde/record.hpp>
#include <sonde/statistics.hpp>

#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>

namespace sonde {

namespace detail {

/// False for a record of a group in which no rank is an initiator: it has no times. Records made by hand need
/// not say how many ranks there are.
inline bool has_times(record const& r) { return r.initiators != 0 || r.ranks == 0; }

inline constexpr seconds no_time{std::numeric_limits<double>::quiet_NaN()};

} // namespace detail

// A record without initiators has no times: metrics that are numbers are then NaN, optional ones are empty, a histogram
// is empty, and reporters show "-", an empty field or null.

/// Every sample of the slowest rank: the series, and what came after it was full.
[[nodiscard]] inline histogram histogram_of(record const& r) {
    if (!detail::has_times(r)) return {};
    auto all = r.rest.empty() ? histogram{} : r.rest.front();
    for (auto const t : r.series) all.add(t);
    return all;
}

[[nodiscard]] inline std::size_t sample_count(record const& r) {
    return r.series.size() + (r.rest.empty() ? 0 : static_cast<std::size_t>(r.rest.front().count()));
}

/// The q-quantile of every sample of the slowest rank; where the series was full, within 2^-8 of it.
template <std::same_as<record> R> // so that a list in braces is times
[[nodiscard]] seconds quantile(R const& r, double q) {
    if (!detail::has_times(r)) return detail::no_time;
    return r.rest.empty() ? quantile(detail::from(r.series), q) : histogram_of(r).quantile(q);
}

/// The time of an iteration that a record stands for: the median over samples of the slowest rank's. One preempted
/// iteration moves a mean, not this.
[[nodiscard]] inline seconds typical(record const& r) { return quantile(r, 0.5); }

/// Mean over samples of the slowest rank's time.
[[nodiscard]] inline seconds mean_of_slowest(record const& r) {
    if (!detail::has_times(r)) return detail::no_time;
    seconds sum = r.rest.empty() ? seconds{} : r.rest.front().sum();
    for (auto const t : r.series) sum += t;
    return sum / static_cast<double>(sample_count(r));
}

// Each metric takes the time it is to be computed with; a suite passes the estimator its definition asks for.

/// One-way time: of an iteration over its legs.
[[nodiscard]] inline seconds latency(record const& r, seconds iteration) { return iteration / r.total.legs; }
[[nodiscard]] inline seconds latency(record const& r) { return latency(r, typical(r)); }

/// Bytes per second of all initiators together.
[[nodiscard]] inline double bandwidth(record const& r, seconds iteration) {
    return static_cast<double>(r.total.bytes) / iteration.count();
}
[[nodiscard]] inline double bandwidth(record const& r) { return bandwidth(r, typical(r)); }

/// Messages per second of all initiators together.
[[nodiscard]] inline double message_rate(record const& r, seconds iteration) {
    return static_cast<double>(r.total.messages) / iteration.count();
}
[[nodiscard]] inline double message_rate(record const& r) { return message_rate(r, typical(r)); }

/// Bytes per second over the busiest link, as algorithms for collectives that are optimal in bandwidth would load it:
/// comparable with what the hardware can do, whatever the number of ranks (PERFORMANCE.md of nccl-tests).
[[nodiscard]] inline double bus_bandwidth(record const& r, seconds iteration) {
    return r.total.bus * bandwidth(r, iteration);
}
[[nodiscard]] inline double bus_bandwidth(record const& r) { return bus_bandwidth(r, typical(r)); }

/// Quantile of the slowest rank's times; none when there are too few samples, were they independent, to bound it from
/// above with 95 % confidence.
[[nodiscard]] inline std::optional<seconds> tail(record const& r, double q) {
    if (!detail::has_times(r) || !supports(sample_count(r), q)) return std::nullopt;
    return quantile(r, q);
}

/// What the q-quantile is not above, with this confidence, of the series; none when there are too few samples.
[[nodiscard]] inline std::optional<seconds> tail_bound(record const& r, double q, double confidence = 0.95) {
    if (!detail::has_times(r)) return std::nullopt;
    auto const times = detail::from(r.series);
    return quantile_bound(times, q, confidence, correlation_time(times));
}

/// The median of the series, its correlation time, and an interval corrected by that and no narrower than the clock can
/// tell; within this launch: launches differ by more.
[[nodiscard]] inline median_estimate estimate_median(record const& r, double confidence = 0.95) {
    if (!detail::has_times(r)) return {detail::no_time, detail::no_time.count(), std::nullopt};
    return estimate_median(detail::from(r.series), confidence, r.timer.quantum / static_cast<double>(r.batch));
}

/// The interval of `estimate_median`; none when there are too few samples.
[[nodiscard]] inline std::optional<interval> median_interval(record const& r, double confidence = 0.95) {
    return estimate_median(r, confidence).between;
}

/// Of the series: what came after it was full is in no fence.
[[nodiscard]] inline outliers outside_fences(record const& r) { return outside_fences(detail::from(r.series)); }

} // namespace sonde
