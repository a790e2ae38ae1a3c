// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/records/log.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tools {

/// Tables of all files as series, after `tell_apart`. Tables of one identity and number of pairs are repetitions if
/// their times agree: at fewer than half of their common sizes they are more than 1.5 times apart. Others are series of
/// their own, such as host and device memory under one title. If times of two files are more than 10 times apart, their
/// units may differ: both series say so.
std::vector<series> series_of(std::vector<log_contents> files);

/// Record of a row of a text: one sample, the time that the text has.
sonde::record record_of(log_table const& t, log_row const& row);

/// Launches for a comparison: those of JSON lines; of a text, the first table of each identity makes the first launch,
/// its repetition the second, whatever its times, since a slow launch counts.
std::vector<sonde::run_file>
launches_of(log_contents const& log,
            std::function<sonde::record(log_table const&, log_row const&)> const& record_of_row = record_of);

/// A line for each series: its number, name, tables and sizes, and the reason if no model is fitted.
std::vector<std::string> series_list(std::vector<series> const& all);

/// Remarks of the series on their units, each text once.
std::vector<std::string> other_units(std::vector<series> const& all);

} // namespace tools
