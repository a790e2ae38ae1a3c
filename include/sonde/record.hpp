// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/histogram.hpp>
#include <sonde/pattern.hpp>
#include <sonde/stop.hpp>
#include <sonde/time.hpp>
#include <sonde/timer.hpp>

#include <concepts>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

namespace detail {

/// The shortest of 15 to 17 digits that reads back as the same number, with a point in every locale. By snprintf:
/// <charconv> would cost every including file 0.1 s.
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

/// One named setting of a point: `{"bytes", 8}`, `{"link", "ssend"}`.
struct parameter {
    std::string name;
    std::string text;
    std::optional<double> number; // where the value is one

    parameter(std::string key, std::string value) : name{std::move(key)}, text{std::move(value)} {}
    parameter(std::string key, char const* value) : name{std::move(key)}, text{value} {}
    template <std::integral N>
    parameter(std::string key, N value)
        : name{std::move(key)}, text{std::to_string(value)}, number{static_cast<double>(value)} {}
    template <std::floating_point N>
    parameter(std::string key, N value)
        : name{std::move(key)}, text{detail::text_of(static_cast<double>(value))}, number{static_cast<double>(value)} {}
};

/// What was measured: a name, and the settings that tell it from the other points of a sweep.
struct point {
    std::string name;
    std::vector<parameter> parameters;
};

/// Over the ranks that count, of each rank's mean time of an iteration.
struct spread {
    seconds min{};
    seconds mean{};
    seconds max{};
};

struct stopped {
    stop_reason reason = stop_reason::none;
    std::size_t samples = 0;
};

struct flags {
    /// A sample is shorter than 20 times the timer's bias or 100 times its quantum: a larger batch would say more.
    bool timer_limited = false;
    /// Ranks began further apart than a tenth of what the operation takes, by the global clock (medians).
    bool skew_dominated = false;
    /// The global clock was off by more than 1 us, or 5 % of the median, when the run was over, beyond what the check
    /// of it may err by.
    bool clock_drift = false;
};

/// "timer_limited, clock_drift", or "-" for none.
[[nodiscard]] inline std::string words_of(flags const& f) {
    std::string words;
    auto const add = [&](bool is, char const* word) {
        if (is) words.append(words.empty() ? "" : ", ").append(word);
    };
    add(f.timer_limited, "timer_limited");
    add(f.skew_dominated, "skew_dominated");
    add(f.clock_drift, "clock_drift");
    return words.empty() ? "-" : words;
}

/// Samples by a clock that all ranks share (`clock_window`): none without one.
struct global_times {
    std::vector<seconds> series;      // from the first rank's begin to the last one's end, of an iteration
    std::vector<seconds> entry_skews; // from the first to the last begin
    std::vector<seconds> exit_skews;  // from the first to the last end
    std::size_t redone = 0;           // samples that a rank began too late: in no series
    seconds bound{};                  // of the error of a global time: of a difference of two ranks', twice that
    seconds drift{};                  // by how much a clock was found to be off when the run was over
};

/// What `run` found: raw times and traffic, equal on every rank. Metrics are functions of it.
struct record {
    point at;
    traffic total;               // of one iteration, summed over the initiators; legs, bus: the largest; shared by 1
    int ranks = 0;               // of the group
    int initiators = 0;          // ranks whose times count
    std::size_t batch = 1;       // iterations of a sample
    std::vector<seconds> series; // time of an iteration, per sample: the slowest rank that counts
    std::vector<histogram> rest; // one, of the samples after the series was full (`kept::samples`); empty before
    std::vector<seconds> sample_means; // the same: mean over ranks that count; empty unless the plan keeps them
    std::vector<seconds> rank_means;   // mean time of an iteration, per rank; empty unless the plan keeps them
    std::vector<std::size_t> slowest;  // in how many samples each rank was the slowest, or as slow
    std::optional<global_times> global;
    spread over_ranks;
    seconds first{};    // the very first iteration, connection set-up and page faults included
    sonde::timer timer; // the worst of the ranks'; nothing is subtracted from the times
    sonde::stopped stopped;
    sonde::flags flags;
    std::optional<std::size_t> errors; // of `check`, where the caller made one
};

} // namespace sonde
