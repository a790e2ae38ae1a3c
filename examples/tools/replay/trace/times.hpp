// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/stat/histogram.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ratio>

namespace tools::replay {

/// Times of one call of a folded loop: the first in place, a histogram from the second on.
class times {
public:
    /// Each slice has the same number of times: the first the shortest, the last the longest.
    static constexpr std::size_t slice_count = 16;
    using slices = std::array<double, slice_count>;

    void add(std::chrono::nanoseconds time);
    /// Add the times of another one.
    times& operator+=(times const& more);

    std::uint64_t count() const { return count_; }
    sonde::seconds sum() const { return sum_; }
    /// Mean time of each slice, in seconds. Their mean is that of all times, exact but for rounding; a slice is exact
    /// to an eighth of a time. 0 without times.
    slices means() const;
    /// Bytes that a histogram takes beside the object.
    static constexpr std::size_t histogram_bytes() { return sizeof(histogram); }

private:
    using histogram = sonde::basic_histogram<3, std::nano, sonde::detail::compact_counters>;

    std::uint64_t count_ = 0;
    sonde::seconds sum_{};
    std::unique_ptr<histogram> all_;
};

/// Mean of the times of which these are the slices.
inline double mean_of(times::slices const& all) {
    double sum = 0;
    for (auto const mean : all) sum += mean;
    return sum / static_cast<double>(all.size());
}

/// Median of the times of which these are the slices, within their accuracy.
inline double median_of(times::slices const& all) { return (all[all.size() / 2 - 1] + all[all.size() / 2]) / 2; }

} // namespace tools::replay
