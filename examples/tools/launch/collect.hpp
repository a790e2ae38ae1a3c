// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/environment.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace tools {

/// Command whose program writes its records to `file`: every `{json}` is replaced by its path; a command without
/// `{json}` gets `--report json=FILE` appended.
std::vector<std::string> with_report(std::vector<std::string> words, std::string const& file);

/// Throws std::runtime_error if a file has contents that are not JSON lines of Sonde: a log is no file for records.
void require_json_lines(std::string const& path);

/// Number of launches of `sonde-launch` in a file; 0 if there is no file.
std::size_t launches_in(std::string const& path);

/// Append a launch to the file `to`: a line of its own, then the lines that the program wrote to `from`, each record
/// with the launch's number. Without a record nothing is appended. Returns the number of records. Throws if `from` is
/// not JSON lines, or `to` cannot be written.
std::size_t collect(sonde::launch const& launch, std::string const& from, std::string const& to);

/// sonde::read_launches, compiled once: code that reads JSON is slow to compile.
std::vector<sonde::run_file> read_runs(std::string const& path);

} // namespace tools
