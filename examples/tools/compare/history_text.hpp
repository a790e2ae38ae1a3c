// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/compare/history.hpp"
#include "tools/text.hpp"

#include <string>
#include <vector>

namespace tools {

/// What a table of a history has: its settings, the number of nights, the first and the last level, their ratio, and
/// the nights of the changes. The first line has the titles.
std::vector<cells> history_cells(std::vector<night> const& nights, std::vector<row_history> const& rows);

/// What a table of the changes has, a line for each, in the order of the nights. The first line has the titles.
std::vector<cells> change_cells(std::vector<night> const& nights, std::vector<row_history> const& rows);

/// Settings that all rows have: "# osu_latency datatype=MPI_CHAR"; empty if there are none.
std::string common_settings(std::vector<row_history> const& rows);

/// Lines on the nights that begin new levels: the number of rows that became slower and faster, and what may explain
/// it: the environment's differences from the night before that matter.
std::vector<std::string> night_lines(std::vector<night> const& nights, std::vector<row_history> const& rows);

} // namespace tools
