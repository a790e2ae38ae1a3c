// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace tools {

/// The command with the file that its records go to: in place of every `{json}`, or else as `--report json=FILE` behind
/// it.
std::vector<std::string> with_report(std::vector<std::string> words, std::string const& file);

/// How many launches the file holds that `sonde-launch` wrote; 0 where there is none.
std::size_t launches_in(std::string const& path);

/// Adds a launch to a file: a line of its own, then what the program wrote to `from`, each record with its number. How
/// many records that were; where there are none, nothing is added. Throws where `from` is not of JSON lines, or `to`
/// cannot be written.
std::size_t collect(sonde::launch const& what, std::string const& from, std::string const& to);

/// Every run of a file, as sonde::read_launches: here for all tools, since what reads JSON takes long to compile.
std::vector<sonde::run_file> read_runs(std::string const& path);

} // namespace tools
