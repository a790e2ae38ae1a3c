// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/pattern.hpp>
#include <sonde/stat/histogram.hpp>
#include <sonde/stop.hpp>

#include <concepts>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

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
    std::string name;
    std::string text;
    std::optional<double> number; // of a numeric parameter

    parameter(std::string key, std::string value) : name{std::move(key)}, text{std::move(value)} {}
    template <std::integral N>
    parameter(std::string key, N value)
        : name{std::move(key)}, text{std::to_string(value)}, number{static_cast<double>(value)} {}
    parameter(std::string key, std::floating_point auto value)
        : name{std::move(key)}, text{detail::text_of(static_cast<double>(value))}, number{static_cast<double>(value)} {}
};

/// A point of a sweep: the name of the measurement, and the parameters that distinguish it from the other points.
struct point {
    std::string name;
    std::vector<parameter> parameters;
};

/// Minimum, mean and maximum over ranks.
struct min_mean_max {
    seconds min{};
    seconds mean{};
    seconds max{};
};

/// Why a series ended, and after how many samples.
struct stop_info {
    stop_reason reason = stop_reason::none;
    std::size_t samples = 0;
};

/// Warnings about a record.
struct flags {
    /// Samples last less than 20 times the clock's bias or 100 of its ticks on average: use a larger batch.
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
};

/// The names of the flags that are set, such as "timer_limited, clock_drift", or "-" if no flag is set.
[[nodiscard]] inline std::string to_string(flags const& f) {
    std::string text;
    auto const add = [&](bool is_set, char const* name) {
        if (is_set) text.append(text.empty() ? "" : ", ").append(name);
    };
    add(f.timer_limited, "timer_limited");
    add(f.skew_dominated, "skew_dominated");
    add(f.clock_drift, "clock_drift");
    add(f.correlated, "correlated");
    add(f.oversubscribed, "oversubscribed");
    add(f.clock_fault, "clock_fault");
    return text.empty() ? "-" : text;
}

/// Times by a global clock (`synchronized_start`). The three series have one element per sample.
struct global_times {
    std::vector<seconds> series;      // from the first begin of any rank to the last end, per iteration
    std::vector<seconds> entry_skews; // from the first to the last begin
    std::vector<seconds> exit_skews;  // from the first to the last end
    std::size_t late_samples = 0;     // samples that a rank began too late; no series has them
    seconds error_bound{};            // of a global time; twice that for a difference of two ranks' times
    seconds deviation{};              // largest deviation of a rank's clock from rank 0's, measured after the run
};

/// Result of `run`: traffic, and raw times of initiators. The record is equal on every rank, except for the slowest
/// counts and rank samples. Only rank 0 has these, so that no other rank needs memory for each rank.
/// <sonde/measure/metrics.hpp> has the metrics of a record.
struct record {
    sonde::point point;
    traffic total;                     // per iteration: bytes and messages of all initiators, the largest hops and
                                       // bus_factor; shared_by 1
    int ranks = 0;                     // size of the group
    int initiators = 0;                // ranks whose times count
    std::size_t batch = 1;             // iterations per sample
    std::vector<seconds> series;       // per sample: time per iteration of the slowest rank
    std::vector<histogram> overflow;   // one histogram of the samples beyond `keep_options::samples`, or empty
    std::vector<seconds> sample_means; // per sample: mean over ranks; empty unless the plan keeps them
    std::vector<seconds> rank_means;   // per rank: mean time per iteration; empty unless the plan keeps them
    std::vector<seconds> rank_samples; // rank by rank: its times per iteration (`samples_of`); on rank 0, or on every
                                       // rank, if the plan keeps them
    std::vector<std::size_t> slowest_counts;  // on rank 0, per rank: samples in which it was the slowest, ties included
    std::optional<global_times> global;       // with a global clock
    min_mean_max over_ranks;                  // of each rank's mean time per iteration
    seconds first{};                          // the very first iteration, with connection set-up and page faults
    sonde::clock_properties clock_properties; // the worst of all ranks; nothing is subtracted from the times
    stop_info stop;
    sonde::flags flags;
    std::optional<std::size_t> errors; // result of `validate`, set by the caller
};

namespace detail {

/// Smallest difference of two times per iteration: the resolution of the clock over the batch.
inline seconds sample_resolution(record const& r) {
    return r.clock_properties.resolution / static_cast<double>(r.batch);
}

} // namespace detail

/// The times per iteration that a rank measured for the first samples of the series: at most `max_rank_samples` over
/// all ranks. Responders and idle ranks have times as well. Empty if the record has no rank samples or no such rank.
[[nodiscard]] inline std::span<seconds const> samples_of(record const& r, int rank) {
    if (rank < 0 || rank >= r.ranks) return {};
    auto const each = r.rank_samples.size() / static_cast<std::size_t>(r.ranks);
    return {r.rank_samples.data() + static_cast<std::size_t>(rank) * each, each};
}

} // namespace sonde
