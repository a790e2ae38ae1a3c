// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/assess/site_operation.hpp"

#include <sonde/measure/comparison.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools::replay {

/// Another way to send the data of an operation, measured against the way of the application.
struct measured_alternative {
    std::string name;
    std::string condition{};                        // on the data, for which it is the same; empty: always
    double seconds = 0;                             // median
    double speedup = 1;                             // over the way of the application
    std::optional<sonde::speedup_range> interval{}; // of the speed-up; holds for all alternatives of all sites together
    sonde::outcome outcome = sonde::outcome::undecided;
    std::string outcome_text{};
};

/// An operation of the application, and what could be achieved.
struct assessment {
    std::string phase, call, site;
    std::vector<site_call> calls{};
    int ranks = 0;
    double times = 0;          // in the application
    double median_seconds = 0; // of one operation in the application
    double total_seconds = 0;  // in the application, mean of the ranks
    double alone_seconds = 0;  // median, replayed alone, when all ranks begin together
    std::optional<double> bound_seconds{};
    std::vector<measured_alternative> alternatives{};
    std::vector<std::string> remarks{};
};

/// Assessments of a trace.
struct assessed_trace {
    double run_seconds = 0; // of the application
    std::string command, machine;
    int ranks = 0;
    double gain = 0, confidence = 0;      // of the outcomes
    std::size_t left_out = 0;             // operations with too small a share of the run time
    std::vector<assessment> operations{}; // sorted by the time that an alternative saves, then by their own
    std::vector<std::string> remarks{};
};

/// A time that can be won, with its interval.
struct winnable {
    double seconds = 0, low = 0, high = 0;
};

/// The fastest of the alternatives that are surely faster, those without a condition first; null if there is none.
measured_alternative const* best_of(assessment const& a);

/// The fastest of the alternatives that are surely faster, for each condition: those without one first.
std::vector<measured_alternative const*> best_of_conditions(assessment const& a);

/// Seconds of an operation that are the library's: no more than it takes alone, when no rank waits for a late one.
double library_seconds(assessment const& a);
/// Seconds of an operation in the application for which ranks waited, for late ranks or for processors.
double waiting_seconds(assessment const& a);

/// Time of the best way over the time of the application's way; 1 if nothing is surely faster.
double efficiency(assessment const& a);
/// Lower bound over the time alone; empty without a bound.
std::optional<double> bound_efficiency(assessment const& a);

/// What the best alternative would save in the application: its share of the library's seconds in all operations. The
/// interval is that of its speed-up.
winnable can_be_won(assessment const& a);

/// The most that can be won first, then the longest time.
void rank_by_gain(std::vector<assessment>& all);

} // namespace tools::replay
