// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/records/log.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tools {

/// Tables of one identity, the number of pairs aside: repetitions (launches), and several numbers of pairs. Or all
/// round trips.
struct series {
    std::size_t number = 0; // from 1, in the order of the files
    std::vector<log_table> tables{};
    std::vector<sonde::record> round_trips{}; // for the LogGP model
    bool disagrees = false;                   // its identity is that of a series before it, and its times are others
    std::string other_unit{}; // says that a file has a series of this identity whose unit may be another; often empty

    /// "OSU MPI-CUDA Latency Test v7.4, datatype MPI_CHAR (lat.txt:2)"
    std::string name() const;
    /// Reason why no model is fitted; empty if one can be.
    std::string no_model() const;
};

/// Tables of all files as series. Tables of one identity and number of pairs are repetitions if their times agree: at
/// fewer than half of their common sizes they are more than 1.5 times apart. Others are series of their own, such as
/// host and device memory under one title. If times of two files are more than 10 times apart, their units may differ:
/// both series say so.
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

/// What series say of their units, each text once.
std::vector<std::string> other_units(std::vector<series> const& all);

} // namespace tools
