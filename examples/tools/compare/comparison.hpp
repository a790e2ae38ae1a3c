// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/rank_sum.hpp"
#include "tools/records/log.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools {

/// Launches of one side of a comparison, and the file that they were read from.
struct launch_set {
    std::string path;
    std::vector<sonde::run_file> runs;
    std::vector<std::string> remarks{}; // on lines that are left out
    bool is_text = false;               // of a log with tables
};

/// Observations of a row on one side, one for each launch.
struct observations {
    std::vector<sonde::seconds> medians;
    std::vector<sonde::seconds> spreads; // interquartile range / 1.349, which is sigma of a normal distribution
    std::optional<sonde::confidence_interval> first_interval; // of the median of the first launch's samples
    sonde::seconds resolution{};                              // of the clock, for one iteration, or of text
};

/// Measured point, matched between both sides.
struct row {
    sonde::point at;
    std::size_t occurrence = 1; // in a launch, among points of equal name and parameters
    observations before, after;
};

/// Nested variation of a row on one side: samples within a launch, and launches.
struct summary {
    std::size_t launches = 0;
    sonde::seconds median{};                            // of the launches' medians
    std::optional<sonde::confidence_interval> interval; // 95 %, over launches; of a single launch, over its samples
    double within = 0;             // root mean square of the launches' spreads, relative to the median
    std::optional<double> between; // standard deviation of the launches' medians, relative to the median
};

/// Criteria for a row to count as different.
struct criteria {
    double effect = 0.05; // smallest difference of the medians, relative to the shorter one; the clock must resolve it
    double alpha = 0.05;  // probability of at least one wrong outcome among all rows
};

/// True if two medians differ by the effect, relative to the shorter one, and by more than the resolution.
bool is_relevant(sonde::seconds a, sonde::seconds b, sonde::seconds resolution, double effect);

/// Row that both sides have, compared.
struct comparison {
    row of;
    summary before, after;
    std::optional<double> p; // of the rank-sum test, corrected for the number of rows; empty if a side has one launch
    sonde::outcome outcome = sonde::outcome::undecided;

    /// Ratio of the medians, new over old; empty if the old median is 0, because of a coarse clock.
    std::optional<double> ratio() const {
        return before.median > sonde::seconds{} ? std::optional{after.median / before.median} : std::nullopt;
    }
};

/// Compare all rows that both sides have by the medians of their launches: slower or faster if the corrected p is at
/// most alpha and the medians differ by the smallest effect.
std::vector<comparison> compare(std::vector<row> const& rows, criteria const& required);

/// Minimum number of launches per side that can show a difference, if the present number cannot in any row, whatever
/// the times are. Empty if a row can be told apart, or if no row has two launches on both sides.
std::optional<std::size_t> launches_to_decide(std::vector<comparison> const& rows, double alpha);

/// Steps to confirm a slower row: the commands that measure both sides again with twice the number of launches, and
/// compare all, `despite_differences` of the environments if this comparison did. For a log of text, the steps without
/// commands.
std::vector<std::string> advice(launch_set const& before, launch_set const& after, bool despite_differences);

/// The rows as lines of text. Settings that all rows have in common are one line above the table; a row has its own
/// settings, both sides (median over launches, interval, spread within and between launches), the ratio, p and outcome.
std::vector<std::string> comparison_table(std::vector<comparison> const& rows);

} // namespace tools
