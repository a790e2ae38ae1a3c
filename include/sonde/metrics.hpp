// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/view.hpp>
#include <sonde/record.hpp>
#include <sonde/statistics.hpp>

#include <optional>

namespace sonde {

/// The time of an iteration that a record stands for: the median over samples of the slowest rank's. One preempted
/// iteration moves a mean, not this.
inline seconds typical(record const& r) { return median(detail::from(r.series)); }

/// Mean over samples of the slowest rank's time.
inline seconds mean_of_slowest(record const& r) {
    double sum = 0;
    for (auto const t : r.series) sum += t.count();
    return seconds{sum / static_cast<double>(r.series.size())};
}

// Each metric takes the time it is to be computed with; a suite passes the estimator its definition asks for.

/// One-way time: of an iteration over its legs.
inline seconds latency(record const& r, seconds iteration) { return iteration / r.total.legs; }
inline seconds latency(record const& r) { return latency(r, typical(r)); }

/// Bytes per second of all initiators together.
inline double bandwidth(record const& r, seconds iteration) { return r.total.bytes / iteration.count(); }
inline double bandwidth(record const& r) { return bandwidth(r, typical(r)); }

/// Messages per second of all initiators together.
inline double message_rate(record const& r, seconds iteration) { return r.total.messages / iteration.count(); }
inline double message_rate(record const& r) { return message_rate(r, typical(r)); }

/// Bytes per second over the busiest link, as algorithms for collectives that are optimal in bandwidth would load it:
/// comparable with what the hardware can do, whatever the number of ranks (PERFORMANCE.md of nccl-tests).
inline double bus_bandwidth(record const& r, seconds iteration) { return r.total.bus * bandwidth(r, iteration); }
inline double bus_bandwidth(record const& r) { return bus_bandwidth(r, typical(r)); }

/// Quantile of the series; none when there are too few samples to bound it from above with 95 % confidence.
inline std::optional<seconds> tail(record const& r, double q) {
    if (!supports(r.series.size(), q)) return std::nullopt;
    return quantile(detail::from(r.series), q);
}

/// Interval of the median of the series, within this launch; none when there are too few samples.
inline std::optional<interval> median_interval(record const& r, double confidence = 0.95) {
    return median_interval(detail::from(r.series), confidence);
}

} // namespace sonde
