// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ratio>
#include <span>
#include <stdexcept>

namespace sonde::inline v0_1::detail {

/// Log-linear bucket of an integer: below 2^Bits the number itself; then 2^Bits buckets of equal width for each power
/// of two; one overflow bucket from 2^Range on.
template <int Bits, int Range>
struct log_linear {
    static_assert(Bits >= 0 && Bits < Range && Range < 63);

    static constexpr std::size_t last = std::size_t{Range - Bits + 1} << Bits;

    static std::size_t bucket_of(std::uint64_t n) {
        if (n >> Range != 0) return last;
        auto const shift = std::bit_width(n | (std::uint64_t{1} << Bits)) - (Bits + 1);
        return (static_cast<std::size_t>(shift) << Bits) + static_cast<std::size_t>(n >> shift);
    }

    /// Mean of the integers in a bucket, except the overflow bucket.
    static double midpoint(std::size_t bucket) {
        auto const shift = bucket >> (Bits + 1) == 0 ? 0 : (bucket >> Bits) - 1;
        auto const first = std::uint64_t{bucket - (shift << Bits)} << shift;
        return static_cast<double>(first) + (static_cast<double>(std::uint64_t{1} << shift) - 1) / 2;
    }
};

/// Counts of N buckets.
template <std::size_t N>
class counters {
public:
    void add(std::size_t i, std::uint64_t n = 1) { counts_[i] += n; }
    std::uint64_t operator[](std::size_t i) const { return counts_[i]; }

private:
    std::uint64_t counts_[N]{};
};

/// Counts of N buckets in 48 bits each, which overflow after five months at twenty million increments per second.
template <std::size_t N>
class compact_counters {
public:
    void add(std::size_t i) {
        if (++low_[i] == 0) ++high_[i];
    }
    void add(std::size_t i, std::uint64_t n) {
        auto const all = (*this)[i] + n;
        low_[i] = static_cast<std::uint32_t>(all);
        high_[i] = static_cast<std::uint16_t>(all >> 32);
    }
    std::uint64_t operator[](std::size_t i) const { return (std::uint64_t{high_[i]} << 32) | low_[i]; }

private:
    std::uint32_t low_[N]{};
    std::uint16_t high_[N]{};
};

} // namespace sonde::detail

namespace sonde::inline v0_1 {

/// Histogram of times in constant memory, with log-linear buckets: of equal width within each power of two ticks.
///
/// A bucket is one tick wide below 2^(Bits + 1) ticks; above, its width is at most 2^-Bits of its times. Times are
/// rounded to ticks. Every time is counted. Negative times and times below half a tick count as 0, in the first bucket.
/// Times of 2^50 ticks or more (1126 s for ticks of 1 ps) are in the last bucket. Count, sum (below 2^53 ticks),
/// minimum and maximum are exact to the tick.
///
/// Histograms are merged by `+=`. The histograms of the ranks of a group are merged by a sum reduction of `write_sums`
/// and a max reduction of `write_extremes`, followed by `from_sums`.
template <int Bits, class Tick, template <std::size_t> class Counts = detail::counters>
class basic_histogram {
    using ticks = std::uint64_t;
    static_assert(std::ratio_equal_v<Tick, std::nano> || std::ratio_equal_v<Tick, std::pico>);
    using scale = detail::log_linear<Bits, std::ratio_equal_v<Tick, std::nano> ? 40 : 50>;

public:
    /// Number of buckets.
    static constexpr std::size_t buckets = scale::last + 1;
    /// Number of doubles that hold a histogram for a reduction by sums.
    static constexpr std::size_t sums = buckets + 1;

    /// Count a time.
    template <class Rep, class Period>
    void add(std::chrono::duration<Rep, Period> time) {
        auto const n = rounded(time);
        counts_.add(scale::bucket_of(n));
        sum_ += static_cast<double>(static_cast<std::int64_t>(n)); // below 2^63; the signed conversion is faster
        if (n < min_) min_ = n;
        if (n > max_) max_ = n;
    }

    /// Adds the times of another histogram.
    template <template <std::size_t> class Other>
    basic_histogram& operator+=(basic_histogram<Bits, Tick, Other> const& more) {
        for (std::size_t i = 0; i != buckets; ++i) counts_.add(i, more.counts_[i]);
        sum_ += more.sum_;
        if (more.min_ < min_) min_ = more.min_;
        if (more.max_ > max_) max_ = more.max_;
        return *this;
    }

    /// Number of times.
    std::uint64_t count() const {
        std::uint64_t all = 0;
        for (std::size_t i = 0; i != buckets; ++i) all += counts_[i];
        return all;
    }
    /// Sum of the times.
    seconds sum() const { return seconds_of(sum_); }
    /// 0 for an empty histogram.
    seconds min() const { return min_ == none ? seconds{} : seconds_of(static_cast<double>(min_)); }
    /// Largest time; 0 for an empty histogram.
    seconds max() const { return seconds_of(static_cast<double>(max_)); }
    /// Number of times below half a tick, negative ones included.
    std::uint64_t underflow() const { return counts_[0]; }
    /// Number of times in the last bucket; a quantile among them is the maximum.
    std::uint64_t overflow() const { return counts_[buckets - 1]; }

    /// Calls f(time, count) for each bucket with times, in ascending order: the bucket's midpoint, within minimum and
    /// maximum, and the number of its times. The error of a time is at most 2^-(Bits + 1) of it, plus half a tick; in
    /// the last bucket it is the maximum.
    void for_each(auto f) const {
        for (std::size_t i = 0; i != buckets; ++i)
            if (counts_[i] != 0) f(seconds_of(within(i)), counts_[i]);
    }

    /// The q-quantile (`sonde::quantile`) of the times rounded to the midpoints of their buckets. Its error is at most
    /// 2^-(Bits + 1) of the quantile, plus half a tick. Throws std::invalid_argument for an empty histogram or q
    /// outside 0 to 1.
    seconds quantile(double q) const {
        auto const n = count();
        if (n == 0 || !detail::is_finite(q) || q < 0 || q > 1)
            throw std::invalid_argument{"sonde::histogram: a quantile needs times, and q from 0 to 1"};
        auto const position = q * static_cast<double>(n - 1);
        auto const below = static_cast<std::uint64_t>(position);
        auto const low = at(below, n);
        auto const fraction = position - static_cast<double>(below);
        return seconds_of(fraction == 0 ? low : low + fraction * (at(below + 1, n) - low));
    }

    /// Write the counts and the sum, which a sum reduction merges.
    void write_sums(std::span<double, sums> into) const {
        for (std::size_t i = 0; i != buckets; ++i) into[i] = static_cast<double>(counts_[i]);
        into[buckets] = sum_;
    }
    /// Write the maximum and the negated minimum, which a max reduction merges.
    void write_extremes(std::span<double, 2> into) const {
        into[0] = static_cast<double>(max_);
        into[1] = -static_cast<double>(min_);
    }
    /// The histogram of merged sums and extremes.
    static basic_histogram from_sums(std::span<double const, sums> added, std::span<double const, 2> largest) {
        basic_histogram merged;
        for (std::size_t i = 0; i != buckets; ++i) merged.counts_.add(i, static_cast<std::uint64_t>(added[i]));
        merged.sum_ = added[buckets];
        merged.max_ = static_cast<ticks>(largest[0]);
        merged.min_ = static_cast<ticks>(-largest[1]);
        return merged;
    }

private:
    template <int, class, template <std::size_t> class>
    friend class basic_histogram;

    static constexpr ticks none = ticks{1} << 63; // longer than any time

    template <class Rep, class Period>
    static ticks rounded(std::chrono::duration<Rep, Period> time) {
        if constexpr (std::integral<Rep> && std::ratio_equal_v<Period, Tick>) {
            return time.count() > 0 ? static_cast<ticks>(time.count()) : 0;
        } else {
            auto const n = std::chrono::duration<double, Tick>{time}.count() + 0.5;
            if (!(n > 0)) return 0;
            return n < static_cast<double>(none) ? static_cast<ticks>(static_cast<std::int64_t>(n)) : none - 1;
        }
    }

    /// The time of rank `before` (from 0) among n times in ascending order, in ticks, with the accuracy of the buckets.
    double at(std::uint64_t before, std::uint64_t n) const {
        if (before == 0) return static_cast<double>(min_);
        std::size_t bucket = 0;
        for (auto seen = counts_[0]; seen <= before; seen += counts_[bucket]) ++bucket;
        return before + 1 == n ? static_cast<double>(max_) : within(bucket);
    }

    /// Midpoint of a bucket, within minimum and maximum, in ticks; of the last bucket the maximum.
    double within(std::size_t bucket) const {
        auto const min = static_cast<double>(min_), max = static_cast<double>(max_);
        if (bucket == scale::last) return max;
        auto const midpoint = scale::midpoint(bucket);
        return midpoint < min ? min : midpoint > max ? max : midpoint;
    }

    static seconds seconds_of(double n) { return std::chrono::duration<double, Tick>{n}; }

    Counts<buckets> counts_;
    double sum_ = 0;
    ticks min_ = none;
    ticks max_ = 0;
};

/// Histogram of the samples of a record, of 45 KB. From 128 ps on, the width of a bucket is at most 2^-7 of its times.
using histogram = basic_histogram<7, std::pico>;

} // namespace sonde
