// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/log_linear.hpp>
#include <sonde/detail/tally.hpp>
#include <sonde/time.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ratio>
#include <span>
#include <stdexcept>

namespace sonde {

/// How often which times were seen, in a fixed memory: buckets of equal width within each power of two ticks.
///
/// A bucket is one tick wide below 2^(Bits + 1) ticks, and above them at most 2^-Bits of its times. Times are rounded
/// to ticks. Nothing is lost: what is less than a tick, or negative, counts as nothing, in the first bucket; what is
/// 2^40 ns (1100 s) or longer in the last. Count, sum (below 2^53 ticks), shortest and longest are exact to the tick.
///
/// Merging is adding: of two by `+=`, of the ranks of a group by adding what `put_sums` writes and taking the largest
/// of what `put_extremes` writes; the order does not matter. Counts: `detail::tally`, or `detail::short_tally` in less
/// memory.
template <int Bits, class Tick, template <std::size_t> class Counts = detail::tally>
class basic_histogram {
    using ticks = std::uint64_t;
    static_assert(std::ratio_equal_v<Tick, std::nano> || std::ratio_equal_v<Tick, std::pico>);
    using scale = detail::log_linear<Bits, std::ratio_equal_v<Tick, std::nano> ? 40 : 50>;

public:
    static constexpr std::size_t buckets = scale::last + 1;
    static constexpr std::size_t sums = buckets + 1;

    /// Count a time.
    template <class Rep, class Period>
    void add(std::chrono::duration<Rep, Period> time) {
        auto const n = rounded(time);
        counts_.add(scale::of(n));
        sum_ += static_cast<double>(static_cast<std::int64_t>(n)); // below 2^63, and quicker so
        if (n < min_) min_ = n;
        if (n > max_) max_ = n;
    }

    template <template <std::size_t> class Other>
    basic_histogram& operator+=(basic_histogram<Bits, Tick, Other> const& more) {
        for (std::size_t i = 0; i != buckets; ++i) counts_.add(i, more.counts_[i]);
        sum_ += more.sum_;
        if (more.min_ < min_) min_ = more.min_;
        if (more.max_ > max_) max_ = more.max_;
        return *this;
    }

    std::uint64_t count() const {
        std::uint64_t all = 0;
        for (std::size_t i = 0; i != buckets; ++i) all += counts_[i];
        return all;
    }
    seconds sum() const { return seconds_of(sum_); }
    /// 0 where there are no times.
    seconds shortest() const { return min_ == none ? seconds{} : seconds_of(static_cast<double>(min_)); }
    seconds longest() const { return seconds_of(static_cast<double>(max_)); }
    /// Times below half a tick, negative ones included.
    std::uint64_t below() const { return counts_[0]; }
    /// Times too long to tell apart: a quantile among them is answered by the maximum.
    std::uint64_t above() const { return counts_[buckets - 1]; }

    /// The q-quantile as `sonde::quantile` defines it, of the times rounded to the middles of their buckets: at most
    /// 2^-(Bits + 1) of itself, and half a tick, from that of the times. Throws std::invalid_argument for no times or q
    /// outside 0 to 1.
    seconds quantile(double q) const {
        auto const n = count();
        if (n == 0 || !(q >= 0 && q <= 1))
            throw std::invalid_argument{"sonde::histogram: a quantile needs times, and q from 0 to 1"};
        auto const position = q * static_cast<double>(n - 1);
        auto const below = static_cast<std::uint64_t>(position);
        auto const low = at(below, n);
        auto const between = position - static_cast<double>(below);
        return seconds_of(between == 0 ? low : low + between * (at(below + 1, n) - low));
    }

    /// What ranks add to merge: the counts and the sum.
    void put_sums(std::span<double, sums> into) const {
        for (std::size_t i = 0; i != buckets; ++i) into[i] = static_cast<double>(counts_[i]);
        into[buckets] = sum_;
    }
    /// What ranks take the largest of to merge: the maximum, and the minimum with its sign changed.
    void put_extremes(std::span<double, 2> into) const {
        into[0] = static_cast<double>(max_);
        into[1] = -static_cast<double>(min_);
    }
    /// The histogram of sums and extremes that were merged.
    static basic_histogram of(std::span<double const, sums> added, std::span<double const, 2> largest) {
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

    static constexpr ticks none = ticks{1} << 63; // longer than any

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

    /// In ticks, the one of n times that `before` precede in ascending order, as far as it is known.
    double at(std::uint64_t before, std::uint64_t n) const {
        if (before == 0) return static_cast<double>(min_);
        std::size_t bucket = 0;
        for (auto seen = counts_[0]; seen <= before; seen += counts_[bucket]) ++bucket;
        auto const least = static_cast<double>(min_), most = static_cast<double>(max_);
        if (before + 1 == n || bucket == scale::last) return most;
        auto const middle = scale::middle(bucket);
        return middle < least ? least : middle > most ? most : middle;
    }

    static seconds seconds_of(double n) { return std::chrono::duration<double, Tick>{n}; }

    Counts<buckets> counts_;
    double sum_ = 0;
    ticks min_ = none;
    ticks max_ = 0;
};

/// For the samples of a record: buckets of at most 2^-7 of their times from 128 ps on, 45 KB.
using histogram = basic_histogram<7, std::pico>;

} // namespace sonde
