// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/tune/tuning.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tools::tune {

/// Parts that all names of rows have, such as "osu_allreduce datatype=MPI_CHAR"; of a single row none.
std::string common_parts(std::vector<tuned_row> const& rows);

/// What became of each candidate: "no sure gain", "2.38 times the fastest".
std::vector<std::string> race_results(race_result const& r, race_criteria const& criteria);

/// A line about each candidate: its launches, its best ratio of times to the default's and the row of it, and its end.
std::vector<std::string> race_table(race_result const& r, std::vector<tuned_row> const& rows,
                                    race_criteria const& criteria);

/// A line about each row: times, speed-up with its interval, p and outcome.
std::vector<std::string> confirmation_table(std::vector<tuned_row> const& rows,
                                            std::vector<confirmed_row> const& confirmed);

/// Evidence as comments of a file: what was measured, how often, with which library, when.
std::string evidence_lines(tune_options const& options, std::string const& library, std::vector<tuned_row> const& rows,
                           std::vector<confirmed_row> const& confirmed, std::size_t launches);

} // namespace tools::tune
