// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/pattern.hpp>
#include <sonde/stat/autocorrelation.hpp>
#include <sonde/stat/histogram.hpp>
#include <sonde/stat/order_statistics.hpp>
#include <sonde/stop.hpp>
#include <sonde/witness/carried_traffic.hpp>

#include <concepts>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

namespace detail {

/// The shortest text of 15 to 17 digits that reads back as the same number, with a decimal point in every locale. Uses
/// snprintf, because <charconv> would cost every including file 0.1 s.
inline std::string text_of(double number) {
    char text[32]{};
    for (int digits = 15; digits != 18; ++digits) {
        std::snprintf(text, sizeof text, "%.*g", digits, number);
        if (std::strtod(text, nullptr) == number) break;
    }
    for (char& c : text)
        if (c == ',') c = '.';
    return text;
}

} // namespace detail

/// A named parameter of a measurement: `{"bytes", 8}`, `{"link", "ssend"}`.
struct parameter {
    std::string name;             // of the parameter
    std::string text;             // the value as text
    std::optional<double> number; // of a numeric parameter

    parameter(std::string key, std::string value) : name{std::move(key)}, text{std::move(value)} {}
    template <std::integral N>
    parameter(std::string key, N value)
        : name{std::move(key)}, text{std::to_string(value)}, number{static_cast<double>(value)} {}
    parameter(std::string key, std::floating_point auto value)
        : name{std::move(key)}, text{detail::text_of(static_cast<double>(value))}, number{static_cast<double>(value)} {}
};

/// A point of a sweep: the name of the measurement, and the parameters that distinguish it from the other points:
/// `{"name", {{"bytes", 8}}}`, or the name alone, `"name"`.
struct point {
    std::string name;                  // of the measurement
    std::vector<parameter> parameters; // that distinguish the point

    point() = default;
    point(char const* text) : name{text} {}
    point(std::string text, std::vector<parameter> values = {})
        : name{std::move(text)}, parameters{std::move(values)} {}
};

namespace detail {

/// Place of a call in the source, which names what has no other name. It is a default argument,
/// `call_site::of(__builtin_FILE(), __builtin_LINE())`: clang++ 14 lacks std::source_location. Neither a text nor a
/// list in braces converts to a place, so that both are points.
class call_site {
public:
    static call_site of(char const* file, int line) { return call_site{place{file, line}}; }
    /// "file.cpp:123", without folders.
    std::string name() const {
        std::string const path = place_.file;
        return path.substr(path.rfind('/') + 1) + ':' + std::to_string(place_.line);
    }

private:
    struct place {
        char const* file;
        int line;
    };
    explicit call_site(place at) : place_{at} {}

    place place_;
};

} // namespace detail

/// Minimum, mean and maximum over ranks.
struct min_mean_max {
    seconds min{};  // smallest
    seconds mean{}; // over ranks
    seconds max{};  // largest
};

/// Why a series ended, and after how many samples.
struct stop_info {
    stop_reason reason = stop_reason::none; // why the series ended
    std::size_t samples = 0;                // number of samples
};

/// Warnings about a record. A new one is a member here, a row in `all_flags`, and the function that sets it.
struct flags {
    /// The median sample lasts less than 20 times the clock's bias or 100 of its ticks: use a larger batch.
    bool timer_limited = false;
    /// The entry skew, by the global clock, is above a tenth of the operation's time (medians).
    bool skew_dominated = false;
    /// The deviation of the global clock after the run exceeds its error bound by more than 1 us or 5 % of the median.
    bool clock_drift = false;
    /// The series is correlated, and shorter than 40 of its autocorrelation times: its intervals are wide or missing.
    bool correlated = false;
    /// More ranks than processors (hardware threads) share a binding (`Group`): a rank that waits keeps another rank
    /// from its core.
    bool oversubscribed = false;
    /// A rank's clock showed a negative time, or rank 0's clock went back or stood still while the stopping rule waited
    /// for it. No time of the record is reliable.
    bool clock_fault = false;
    /// A slower device than the host's fastest carried the messages, segments were sent again, or other traffic was on
    /// the device: `transport_statements(*r.carried)` says which, on rank 0. Only where the plan keeps what was
    /// carried.
    bool suspect_transport = false;
};

/// A warning and its member of `flags`.
struct flag_member {
    char const* name;    // in all languages and reports
    char const* remark;  // its words on a page
    bool flags::*member; // true if the warning is set
};

/// All warnings, in the order in which reports list them.
inline constexpr flag_member all_flags[] = {
    {"timer_limited", "short beside the timer", &flags::timer_limited},
    {"skew_dominated", "ranks began far apart", &flags::skew_dominated},
    {"clock_drift", "the global clock drifted", &flags::clock_drift},
    {"correlated", "correlated samples", &flags::correlated},
    {"oversubscribed", "more ranks than processors", &flags::oversubscribed},
    {"clock_fault", "a clock went back or stood still", &flags::clock_fault},
    {"suspect_transport", "slower device, retransmissions or other traffic", &flags::suspect_transport},
};
static_assert(std::size(all_flags) * sizeof(bool) == sizeof(flags), "each member of sonde::flags has a row");

namespace detail {

/// The `text` of the flags that are set, separated; "-" if no flag is set.
inline std::string flags_text(flags const& f, char const* flag_member::*text, char const* separator) {
    std::string found;
    for (auto const& one : all_flags)
        if (f.*one.member) found.append(found.empty() ? "" : separator).append(one.*text);
    return found.empty() ? "-" : found;
}

} // namespace detail

/// The names of the flags that are set, such as "timer_limited, clock_drift", or "-" if no flag is set.
[[nodiscard]] inline std::string to_string(flags const& f) { return detail::flags_text(f, &flag_member::name, ", "); }

/// Times by a global clock (`synchronized_start`). The three series have one element per sample.
struct global_times {
    std::vector<seconds> series;      // from the first begin of any rank to the last end, per iteration
    std::vector<seconds> entry_skews; // from the first to the last begin
    std::vector<seconds> exit_skews;  // from the first to the last end
    std::size_t late_samples = 0;     // samples that a rank began too late; no series has them
    seconds error_bound{};            // of a global time; twice that for a difference of two ranks' times
    seconds deviation{};              // largest deviation of a rank's clock from rank 0's, measured after the run
};

/// By how much a straggler of a record finishes after the median rank. Both are lower bounds: see `record`.
struct finish_lag {
    seconds time{};   // its median less the median of the ranks' medians, per iteration
    double share = 0; // of the median of the ranks' medians: 0.11 for 11 %
};

/// Result of `run`: traffic, and raw times of initiators. The record is equal on every rank, except for the slowest
/// counts and rank samples. Only rank 0 has these, so that no other rank needs memory for each rank.
/// Its metrics are the functions below.
///
/// Stragglers are initiators that finish last with an effect: the median of rank r is at least 5 % above the median of
/// the ranks' medians, and further above it than the resolution of the clock; and r finished last in its even share of
/// the samples or more. For P initiators and n samples the condition is
///
///     low_r > 1.05 c > 0    and    low_r - c > resolution    and    slowest_counts_r >= n / P
///
/// where c is the median over q of high_q, with low_r in place of high_r, and low and high are the ends of the interval
/// of `estimate_median` of each rank's times, with a confidence of 1 - 0.01 / ranks. The lag of the straggler is
/// low_r - c, and its share of c. An order in which ranks always finish is no effect, and neither are correlated
/// samples. A straggler is no slow rank: where ranks communicate, who finishes last is often a rank that waited for the
/// late one, and `run` cannot know whether ranks communicate. A scope of a probe around work finds the rank that is
/// slow
/// (`slow_rank`).
struct record {
    sonde::point point;                // name and parameters
    traffic total;                     // per iteration: bytes and messages of all initiators, the largest hops and
                                       // bus_factor; shared_by 1
    int ranks = 0;                     // size of the group
    int initiators = 0;                // ranks whose times count
    std::size_t batch = 1;             // iterations per sample
    std::vector<seconds> series;       // per sample: time per iteration of the slowest rank
    std::vector<histogram> overflow;   // one histogram of the samples beyond `keep_options::samples`, or empty
    std::vector<seconds> sample_means; // per sample: mean over ranks; empty unless the plan keeps them
    std::vector<seconds> rank_means;   // per rank: mean time per iteration; empty unless the plan keeps them
    std::optional<std::vector<seconds>> rank_samples; // rank by rank: its times per iteration (`samples_of`); on rank
                                                      // 0, or on every rank, if the plan keeps them
    std::optional<std::vector<std::size_t>> slowest_counts; // on rank 0, per rank: samples in which it finished last,
                                                            // ties included
    std::vector<int> stragglers;              // see above; ascending, empty if the group is oversubscribed
    std::vector<finish_lag> straggler_lags;   // of each straggler, in the same order
    std::optional<carried_traffic> carried;   // on rank 0, by the devices of all hosts, if the plan keeps it
    std::optional<global_times> global;       // with a global clock
    min_mean_max over_ranks;                  // of each rank's mean time per iteration
    std::optional<seconds> first;             // the very first iteration, with connection set-up and page faults; empty
                                              // if it was not timed by itself: without a warm-up, in a batch of several
    sonde::clock_properties clock_properties; // the worst of all ranks; nothing is subtracted from the times
    stop_info stop;                           // why the series ended
    sonde::flags flags;                       // warnings
    std::optional<std::size_t> errors;        // result of `validate`, set by the caller
};

namespace detail {

/// Smallest difference of two times per iteration: the resolution of the clock over the batch.
inline seconds sample_resolution(record const& r) {
    return r.clock_properties.resolution / static_cast<double>(r.batch);
}

} // namespace detail

/// The times per iteration that a rank measured for the first samples of the series: at most `max_rank_samples` over
/// all ranks. Responders and idle ranks have times as well. Empty if the record has no rank samples. Throws
/// std::out_of_range for a rank that the record's group does not have.
[[nodiscard]] inline std::span<seconds const> samples_of(record const& r, int rank) {
    if (r.ranks == 0) return {};
    if (rank < 0 || rank >= r.ranks)
        throw std::out_of_range{"sonde::samples_of: there is no rank " + std::to_string(rank) + " of " +
                                std::to_string(r.ranks)};
    if (!r.rank_samples) return {};
    auto const each = r.rank_samples->size() / static_cast<std::size_t>(r.ranks);
    return {r.rank_samples->data() + static_cast<std::size_t>(rank) * each, each};
}

// Metrics of records, over the samples of the slowest rank. A record without initiators or without samples has no times
// (`has_times`): its metrics are 0 if they are numbers, and empty if they are optional or a histogram; reporters show
// "-", an empty field or null. No metric is NaN or infinite: a rate over no time is 0.

/// Number of all samples, those beyond the capacity of the series included.
[[nodiscard]] inline std::size_t sample_count(record const& r) {
    return r.series.size() + (r.overflow.empty() ? 0 : static_cast<std::size_t>(r.overflow.front().count()));
}

/// False for a record without samples, and for a record of a group without initiators, whose times are not
/// measurements. Records made by hand may leave `ranks` 0.
[[nodiscard]] inline bool has_times(record const& r) {
    return sample_count(r) != 0 && (r.initiators != 0 || r.ranks == 0);
}

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
    if (!has_times(r)) return {};
    seconds sum = r.overflow.empty() ? seconds{} : r.overflow.front().sum();
    for (auto const t : r.series) sum += t;
    return sum / static_cast<double>(sample_count(r));
}

/// The shortest and the longest sample; 0 for a record without samples. Samples beyond the capacity of the series are
/// known to the picosecond.
[[nodiscard]] seconds min(record const& r);
/// The longest sample, see `min`.
[[nodiscard]] seconds max(record const& r);

/// Standard deviation of all samples, by n - 1 (Bessel's correction); 0 for fewer than two samples. It tells little of
/// times, whose distribution is skewed: one preempted iteration may double it. If there are samples beyond the capacity
/// of the series, its error is at most 2^-8 of the quadratic mean of these samples.
[[nodiscard]] seconds stddev(record const& r);

/// Trimmed mean: the mean of all samples except the floor(n proportion) shortest and as many of the longest; 0 for a
/// record without samples. If there are samples beyond the capacity of the series, its relative error is up to 2^-8.
/// Throws std::invalid_argument unless 0 <= proportion < 0.5.
[[nodiscard]] seconds trimmed_mean(record const& r, double proportion = 0.1);

// Latency and rates take the time of an iteration as an argument, because suites prescribe different estimators. By
// default it is the median.

/// One-way latency: the time of an iteration over its hops.
[[nodiscard]] inline seconds latency(record const& r, seconds iteration) { return iteration / r.total.hops; }
/// One-way latency by the median.
[[nodiscard]] inline seconds latency(record const& r) { return latency(r, median(r)); }

/// Bandwidth of all initiators together, in bytes per second.
[[nodiscard]] inline double bandwidth(record const& r, seconds iteration) {
    return detail::per_second(r.total.bytes, iteration);
}
/// Bandwidth by the median, in bytes per second.
[[nodiscard]] inline double bandwidth(record const& r) { return bandwidth(r, median(r)); }

/// Message rate of all initiators together, in messages per second.
[[nodiscard]] inline double message_rate(record const& r, seconds iteration) {
    return detail::per_second(r.total.messages, iteration);
}
/// Message rate by the median, in messages per second.
[[nodiscard]] inline double message_rate(record const& r) { return message_rate(r, median(r)); }

/// Bus bandwidth in bytes per second: the load of the busiest link under a bandwidth-optimal algorithm of the
/// collective, comparable with the speed of the hardware for any number of ranks (PERFORMANCE.md of nccl-tests).
[[nodiscard]] inline double bus_bandwidth(record const& r, seconds iteration) {
    return r.total.bus_factor * bandwidth(r, iteration);
}
/// Bus bandwidth by the median, in bytes per second.
[[nodiscard]] inline double bus_bandwidth(record const& r) { return bus_bandwidth(r, median(r)); }

/// The 100 q-th percentile of all samples; empty if they are too few (`enough_samples`). Throws std::invalid_argument
/// for q outside 0 to 1.
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
    if (!has_times(r)) return {};
    return tukey_outliers(detail::as_span(r.series), detail::sample_resolution(r));
}

} // namespace sonde

#if SONDE_DEFINITIONS
#include <cstdint>

namespace sonde::inline v0_1 {

SONDE_INLINE seconds min(record const& r) {
    if (!has_times(r)) return {};
    auto least = r.overflow.empty() ? r.series.front() : r.overflow.front().min();
    for (auto const t : r.series)
        if (t < least) least = t;
    return least;
}

SONDE_INLINE seconds max(record const& r) {
    if (!has_times(r)) return {};
    auto most = r.overflow.empty() ? r.series.front() : r.overflow.front().max();
    for (auto const t : r.series)
        if (t > most) most = t;
    return most;
}

SONDE_INLINE seconds stddev(record const& r) {
    auto const n = sample_count(r);
    if (!has_times(r) || n < 2) return {};
    auto const center = mean(r);
    double squares = 0;
    auto const add = [&](seconds t, std::uint64_t count) {
        auto const distance = (t - center).count();
        squares += static_cast<double>(count) * distance * distance;
    };
    for (auto const t : r.series) add(t, 1);
    if (!r.overflow.empty()) r.overflow.front().for_each(add);
    return seconds{detail::square_root(squares / static_cast<double>(n - 1))};
}

SONDE_INLINE seconds trimmed_mean(record const& r, double proportion) {
    if (!(proportion >= 0 && proportion < 0.5))
        throw std::invalid_argument{"sonde::trimmed_mean: the proportion must be at least 0 and below 0.5"};
    auto const n = sample_count(r);
    if (!has_times(r)) return {};
    auto const cut = static_cast<std::size_t>(static_cast<double>(n) * proportion), kept = n - 2 * cut;
    seconds sum{};
    if (r.overflow.empty()) {
        detail::order_statistics ordered{detail::as_span(r.series)};
        auto const low = ordered[cut], high = ordered[n - 1 - cut];
        for (auto const t : r.series) sum += t < low ? low : t > high ? high : t;
        sum -= static_cast<double>(cut) * (low + high);
    } else {
        std::uint64_t to_skip = cut, to_add = kept;
        histogram_of(r).for_each([&](seconds t, std::uint64_t count) {
            auto const skipped = count < to_skip ? count : to_skip;
            auto const added = count - skipped < to_add ? count - skipped : to_add;
            to_skip -= skipped;
            to_add -= added;
            sum += static_cast<double>(added) * t;
        });
    }
    return sum / static_cast<double>(kept);
}

} // namespace sonde

#endif
