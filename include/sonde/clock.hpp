// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/misuse.hpp>
#include <sonde/version.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// libstdc++ 12 and later define duration and the clocks in a separate header. <chrono> adds the calendar and its
// streams, which cost every including file 0.1 s of compile time. <concepts> has defined the library's version macro.
#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE >= 12 && __has_include(<bits/chrono.h>)
#include <bits/chrono.h>
#else
#include <chrono>
#endif

#include <sonde/detail/hooks.inc>

namespace sonde::inline v0_1 {

/// The unit of every time in the library: a double count of seconds.
using seconds = std::chrono::duration<double>;

/// A clock, which may have state: `now` is called on an instance.
///
///     c.now() - c.now()    converts to seconds
///     c.properties()       optional -> clock_properties; `clock_properties_of` measures a clock without it
///     c.domain()           optional, const: name of the clock that it reads, for ranks that share a clock
template <class C>
concept Clock = requires(C& c) {
    { c.now() - c.now() } -> std::convertible_to<seconds>;
};

using steady_clock = std::chrono::steady_clock;

/// Seconds from the epoch of a clock to one of its instants; for a clock whose instants are durations, the duration.
///
/// The rounding error of the double is 0.1 ns near 1e6 s, which a steady clock shows after eleven days of uptime, and
/// 4 ns near 3e7 s, one year.
[[nodiscard]] seconds since_epoch(auto t) {
    if constexpr (requires { t.time_since_epoch(); }) return seconds{t.time_since_epoch()};
    else return seconds{t};
}

namespace detail {

/// True unless the number is infinite or NaN. For numbers from files and from an application's metrics and rules. Tests
/// the bits of the exponent, because with -ffast-math compilers assume that std::isfinite(x) and x == x are true.
constexpr bool is_finite(double x) {
    constexpr std::uint64_t exponent = 0x7ff0'0000'0000'0000u;
    return (std::bit_cast<std::uint64_t>(x) & exponent) != exponent;
}

/// Readings whose time since an epoch is known.
template <class T>
concept has_epoch = requires(T t) { t.time_since_epoch(); } || std::constructible_from<seconds, T>;

} // namespace detail

/// The current reading of a clock, as seconds since its epoch.
[[nodiscard]] seconds reading(Clock auto& clock) { return sonde::since_epoch(clock.now()); }

/// Errors that a clock brings into a measurement.
struct clock_properties {
    seconds cost{};       // of one reading
    seconds resolution{}; // tick of the clock; 0 where all readings were equally far apart
    seconds bias{};       // elapsed time of an empty timed region (median)
};

/// Deviation of global times from rank 0's.
struct clock_deviation {
    seconds max{};         // the largest one that was measured
    seconds error_bound{}; // of all global times since the clocks were synchronized
};

namespace detail::clock_hook {
SONDE_HOOKS(SONDE_CLOCK_HOOKS);
} // namespace detail::clock_hook

/// Shortest sample time for which the clock's error is small: 20 times the bias (an error of 5 %) and 100 ticks (1 %).
/// Source: Hoefler and Belli, Scientific benchmarking of parallel computing systems, SC15, 4.2.1.
[[nodiscard]] inline seconds min_sample_time(clock_properties const& clock) {
    auto const by_bias = 20 * clock.bias, by_resolution = 100 * clock.resolution;
    return by_bias < by_resolution ? by_resolution : by_bias;
}

namespace detail {

/// The values sorted by `less`, a function without state. Uses qsort, because <algorithm> would cost every including
/// file 0.05 s.
template <class T, class Less>
std::vector<T> sorted(std::vector<T> values, Less /*less*/) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_empty_v<Less>);
    if (values.empty()) return values; // data() may be null, which qsort does not accept
    // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a pointer
    std::qsort(values.data(), values.size(), sizeof(T), [](void const* a, void const* b) {
        auto const &x = *static_cast<T const*>(a), &y = *static_cast<T const*>(b);
        return static_cast<int>(Less{}(y, x)) - static_cast<int>(Less{}(x, y));
    });
    return values;
}

/// The times in ascending order.
std::vector<seconds> ascending(std::vector<seconds> times);

/// The resolution of a clock, from the ascending differences of pairs of readings.
///
/// Differences up to 2 ns apart form a cluster, because conversion to whole nanoseconds moves a reading by as much.
/// Clusters of fewer than one difference in 500, and the outer hundredths of a cluster, may be preempted readings and
/// do not count. The resolution is the smallest distance between the midpoints of clusters: 10 ns for the differences
/// 20, 21, 30 and 31 ns. The smallest positive difference itself would be the cost of a reading.
///
/// If there is a single cluster, or a cluster that is wider than conversion makes it, the tick is the smallest distance
/// within a cluster; 0 if all differences are equal. If the clock shows no time in most pairs, each advance is a number
/// of ticks, and the smallest advance is the tick.
seconds resolution_of(std::vector<seconds> const& ascending);

/// Elapsed times on a clock that may step back or stand still. A step back counts as no time.
class elapsed_times {
public:
    /// Elapsed time when the clock shows the elapsed time `shown`.
    seconds operator()(seconds shown) {
        auto const passed = shown - latest_;
        if (passed < seconds{}) lost_ -= passed;
        unchanged_ = passed > seconds{} ? 0 : unchanged_ + 1;
        latest_ = shown;
        return shown + lost_;
    }
    /// True if a reading was before the previous one.
    bool stepped_back() const { return lost_ > seconds{}; }
    /// True if no time passed in the last 2^22 readings. Even a clock with ticks of 80 ms that is read every 20 ns
    /// advances once in 2^22 readings.
    bool stands_still() const { return unchanged_ >> 22 != 0; }

private:
    seconds latest_{}; // as the clock shows it
    seconds lost_{};   // by steps back
    std::size_t unchanged_ = 0;
};

/// Time since construction, counted as by `elapsed_times`. The clock must outlive the stopwatch.
template <Clock C>
class stopwatch {
public:
    explicit stopwatch(C& clock) : clock_{&clock}, begin_{clock.now()} {}

    seconds operator()() { return elapsed_(clock_->now() - begin_); }
    bool stepped_back() const { return elapsed_.stepped_back(); }
    bool stands_still() const { return elapsed_.stands_still(); }

private:
    C* clock_;
    decltype(std::declval<C&>().now()) begin_;
    elapsed_times elapsed_;
};

/// True if `t` replaces `best` as the shortest time. A negative time comes from a clock that stepped back, and any time
/// of 0 or more replaces it.
inline bool is_shorter(seconds t, seconds best) {
    if (best < seconds{}) return best < t;
    return t < best && !(t < seconds{});
}

/// Elapsed times of empty timed regions in ascending order, at least one. Regions in which the clock stepped back are
/// left out. Until a coarse clock has advanced eight times, so that a preempted reading is not its only advance, up to
/// 64 times as many regions are timed, unless it has not advanced in 0.1 s of real time, as a simulated clock; of these
/// additional regions those without time are left out, too.
std::vector<seconds> read_differences(Clock auto& clock, std::size_t pairs) {
    constexpr std::size_t enough_advances = 8, longest = 64;
    std::vector<seconds> differences;
    differences.reserve(pairs + enough_advances);
    std::size_t advances = 0;
    auto const start = std::chrono::steady_clock::now();
    auto const is_simulated = [&] {
        return advances == 0 && std::chrono::steady_clock::now() - start > std::chrono::milliseconds{100};
    };
    for (std::size_t i = 0; i < pairs || (i < longest * pairs && advances < enough_advances); ++i) {
        if (i >= pairs && i % 1000 == 0 && is_simulated()) break;
        auto const begin = clock.now();
        auto const end = clock.now();
        seconds const d = end - begin;
        advances += d > seconds{};
        if (d > seconds{} || (i < pairs && !(d < seconds{}))) differences.push_back(d);
    }
    if (differences.empty()) differences.emplace_back();
    return ascending(std::move(differences));
}

/// Cost of a reading in the fastest batch, because disturbances only make a batch slower.
seconds read_cost(Clock auto& clock, int batches = 11, int reads = 1000) {
    seconds best{};
    for (int batch = 0; batch != batches; ++batch) {
        auto const begin = clock.now();
        for (int i = 1; i != reads; ++i) static_cast<void>(clock.now());
        seconds const elapsed = clock.now() - begin;
        if (batch == 0 || is_shorter(elapsed / reads, best)) best = elapsed / reads;
    }
    return best < seconds{} ? seconds{} : best;
}

/// The properties of a clock, cached after the first measurement. No rank waits for another one. Where ranks are
/// threads (SimGrid's SMPI), reading the clock may switch to another rank, which must not happen during the
/// initialization of a static variable.
class cached_clock_properties {
public:
    /// The cached value, or else the result of `measure()`. The first result is cached.
    clock_properties value_or(auto measure) {
        if (__atomic_load_n(&known_, __ATOMIC_ACQUIRE)) return value_;
        clock_properties const measured = measure();
        if (__atomic_exchange_n(&claimed_, true, __ATOMIC_RELAXED)) return measured;
        value_ = measured;
        __atomic_store_n(&known_, true, __ATOMIC_RELEASE);
        return measured;
    }

private:
    bool known_ = false; // with builtins, since <atomic> would add a fifth to the compile time of the core
    bool claimed_ = false;
    clock_properties value_{};
};

} // namespace detail

/// Measure the properties of a clock: about 50,000 readings, 2 ms for a clock of the usual cost; up to 2.6 million
/// readings for a clock with ticks of a millisecond or more.
[[nodiscard]] clock_properties measure_clock_properties(Clock auto& clock) {
    auto const cost = detail::read_cost(clock);
    auto const differences = detail::read_differences(clock, 20'000);
    return {cost, detail::resolution_of(differences), differences[differences.size() / 2]};
}

/// The properties of a clock: `clock.properties()` if the clock has it, else measured properties. A clock without state
/// is measured once per process. A trivially copyable clock with state and == is measured once per thread and value.
/// Other clocks are measured in each call.
template <Clock C>
[[nodiscard]] clock_properties clock_properties_of(C& clock) {
    if constexpr (detail::clock_hook::calls_properties<C>()) {
        return clock.properties();
    } else if constexpr (std::is_empty_v<C>) {
        static constinit detail::cached_clock_properties cache;
        return cache.value_or([&clock] { return sonde::measure_clock_properties(clock); });
    } else if constexpr (std::equality_comparable<C> && std::is_trivially_copyable_v<C>) {
        constexpr std::size_t max_known = 16; // a clock whose state changes is never equal to itself
        thread_local std::vector<std::pair<C, clock_properties>> known;
        for (auto const& [measured, properties] : known)
            if (measured == clock) return properties;
        auto const before = clock;
        auto const properties = sonde::measure_clock_properties(clock);
        if (known.size() == max_known) known.clear();
        known.emplace_back(before, properties);
        return properties;
    } else {
        return sonde::measure_clock_properties(clock);
    }
}

} // namespace sonde

#if SONDE_DEFINITIONS

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::vector<seconds> ascending(std::vector<seconds> times) {
    return sorted(std::move(times), [](seconds x, seconds y) { return x < y; });
}

/// Differences of a clock's readings that conversion to whole nanoseconds makes of one number of ticks.
struct difference_cluster {
    seconds low;
    seconds high;
    seconds smallest_gap; // of two successive differences; 0 if all are equal

    seconds midpoint() const { return (low + high) / 2; }
    bool is_wide() const { return high - low > seconds{4.5e-9}; } // conversion moves both readings by up to 2 ns
};

/// The smaller of two gaps, of which 0 is not known.
SONDE_INLINE seconds smaller_gap(seconds a, seconds b) {
    constexpr seconds rounding{0.2e-9}; // of readings that are doubles
    if (!(b > rounding)) return a;
    return a == seconds{} || b < a ? b : a;
}

/// The clusters of the differences, except those that have too small a share of them.
SONDE_INLINE std::vector<difference_cluster> clusters_of(std::vector<seconds> const& ascending) {
    constexpr seconds same{2.5e-9}; // between 2 and 3, so that rounding does not decide
    auto const n = ascending.size();
    std::vector<difference_cluster> clusters;
    for (std::size_t begin = 0, i = 1; i <= n; ++i) {
        if (i != n && ascending[i] - ascending[i - 1] < same) continue;
        auto const count = i - begin, outer = count / 100;
        if (count == n || (count != 1 && 500 * count >= n)) {
            auto const first = begin + outer, last = i - 1 - outer;
            seconds gap{};
            for (auto k = first; k != last; ++k) gap = smaller_gap(gap, ascending[k + 1] - ascending[k]);
            clusters.push_back({ascending[first], ascending[last], gap});
        }
        begin = i;
    }
    return clusters;
}

SONDE_INLINE seconds resolution_of(std::vector<seconds> const& ascending) {
    if (ascending[(ascending.size() - 1) / 2] == seconds{})
        for (auto const advance : ascending)
            if (advance > seconds{}) return advance;
    seconds between{}, within{};
    auto const clusters = clusters_of(ascending);
    auto is_within = clusters.size() == 1;
    for (std::size_t i = 0; i != clusters.size(); ++i) {
        is_within |= clusters[i].is_wide();
        within = smaller_gap(within, clusters[i].smallest_gap);
        if (i != 0) between = smaller_gap(between, clusters[i].midpoint() - clusters[i - 1].midpoint());
    }
    return is_within ? within : between;
}

} // namespace sonde::detail

#endif

#include <sonde/detail/hooks.inc>
