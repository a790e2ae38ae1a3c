// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/compare/comparison.hpp"
#include "tools/records/log.hpp"

#include <sonde/measure/environment.hpp>

#include <array>
#include <string>
#include <vector>

namespace tools {

/// Read the launches of two files. A file is JSON Lines of `sonde-launch`, or a log with tables of a suite. A log is
/// one launch, and each repetition of its tables is another launch. If only one of the files is a log, its rows are
/// matched with the records of the other file (`text_as_records`). Throws std::runtime_error, with the path, if a file
/// cannot be read, has another format, has no record, or has a record without times.
std::array<launch_set, 2> read_launch_sets(std::string const& before, std::string const& after);

/// Launches of a file that was read. Throws std::runtime_error, with the path, if it has no record, or a record without
/// times.
launch_set launch_set_of(log_contents const& log);

/// Compare a log with records of JSON. A row of the log takes the name and the parameters of a record of the same
/// program, size and settings, if there is only one such row, and becomes the time of an iteration: a round trip, a
/// window. These records have one time then, the mean that the program prints. Other rows stay as they are.
void text_as_records(log_contents const& log, launch_set& text, launch_set& records);

/// Remarks on what was read, one line each: lines that are left out, launches that failed.
std::vector<std::string> reading_remarks(launch_set const& set);

/// `reading_remarks`, and remarks on the launches of a side: launches without an environment, ranks that may move
/// between processors, a single launch.
std::vector<std::string> remarks(launch_set const& set);

/// "osu_latency bytes=8 datatype=MPI_CHAR", with " #2" for the second occurrence in a launch.
std::string name_of(row const& r);

/// Match the records of both sides by name, parameters (in any order, without `repetitions`) and occurrence, in the
/// order of their first appearance. Every record needs a time.
std::vector<row> match(std::vector<sonde::run_file> const& before, std::vector<sonde::run_file> const& after);

/// Summary of a side, which has at least one launch.
summary summarize(observations const& side);

} // namespace tools
