// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/records/log.hpp"

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

/// Read the launches of two files. A file is JSON Lines of `sonde-launch`, or a log with tables of a suite. A log is
/// one launch, and each repetition of its tables is another launch. If only one of the files is a log, its rows are
/// matched with the records of the other file (`text_as_records`). Throws std::runtime_error, with the path, if a file
/// cannot be read, has another format, has no record, or has a record without times.
std::array<launch_set, 2> read_launch_sets(std::string const& before, std::string const& after);

/// Compare a log with records of JSON. A row of the log takes the name and the parameters of a record of the same
/// program, size and settings, if there is only one such row, and becomes the time of an iteration: a round trip, a
/// window. These records have one time then, the mean that the program prints. Other rows stay as they are.
void text_as_records(log_contents const& log, launch_set& text, launch_set& records);

/// Remarks on the launches of a side, one line each: launches that failed, launches without an environment, ranks that
/// may move between processors, a single launch.
std::vector<std::string> remarks(launch_set const& set);

/// Observations of a row on one side, one for each launch.
struct observations {
    std::vector<sonde::seconds> medians;
    std::vector<sonde::seconds> spreads;                      // interquartile range / 1.349: sigma of a normal law
    std::optional<sonde::confidence_interval> first_interval; // of the median of the first launch's samples
    sonde::seconds resolution{};                              // of the clock, for one iteration, or of text
};

/// Measured point, matched between both sides.
struct row {
    sonde::point at;
    std::size_t occurrence = 1; // in a launch, among points of equal name and parameters
    observations before, after;
};

/// "osu_latency bytes=8 datatype=MPI_CHAR", with " #2" for the second occurrence in a launch.
std::string name_of(row const& r);

/// Key that is equal for equal points without `repetitions`, for any order of their parameters.
std::string key_of(sonde::point const& at);

/// Match the records of both sides by name, parameters (in any order, without `repetitions`) and occurrence, in the
/// order of their first appearance. Every record needs a time.
std::vector<row> match(std::vector<sonde::run_file> const& before, std::vector<sonde::run_file> const& after);

/// Nested variation of a row on one side: samples within a launch, and launches.
struct summary {
    std::size_t launches = 0;
    sonde::seconds median{};                            // of the launches' medians
    std::optional<sonde::confidence_interval> interval; // 95 %, over launches; of a single launch, over its samples
    double within = 0;             // root mean square of the launches' spreads, relative to the median
    std::optional<double> between; // standard deviation of the launches' medians, relative to the median
};

/// Needs at least one launch.
summary summarize(observations const& side);

} // namespace tools
