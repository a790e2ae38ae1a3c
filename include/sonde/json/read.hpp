// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>

#include <istream>
#include <string>
#include <vector>

namespace sonde::inline v0_1 {

/// Read all runs of a stream, in order: the output of `sonde-launch`, or concatenated files of `json_lines`. A run
/// begins with its launch, `{"type": "launch", "launch": number, "command", "outcome", "wall_seconds"}`, or otherwise
/// with its environment. `path` is the name of the stream in messages. Throws as `for_each_json_line`.
[[nodiscard]] std::vector<run_file> read_launches(std::istream& in, std::string const& path);

/// As above, for a file.
[[nodiscard]] std::vector<run_file> read_launches(std::string const& path);

/// Read a file that `json_lines` wrote in one run. Throws as `for_each_json_line`, and if a second run begins.
[[nodiscard]] run_file read_json_lines(std::string const& path);

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/json/values.hpp>

#include <stdexcept>
#include <utility>

namespace sonde::inline v0_1 {

SONDE_INLINE std::vector<run_file> read_launches(std::istream& in, std::string const& path) {
    std::vector<run_file> runs;
    for_each_json_line(in, path, [&](json const& j) { detail::add_line(j, runs); });
    return runs;
}

SONDE_INLINE std::vector<run_file> read_launches(std::string const& path) {
    std::vector<run_file> runs;
    for_each_json_line(path, [&](json const& j) { detail::add_line(j, runs); });
    return runs;
}

SONDE_INLINE run_file read_json_lines(std::string const& path) {
    std::vector<run_file> runs;
    for_each_json_line(path, [&](json const& j) {
        detail::add_line(j, runs);
        if (runs.size() > 1) throw std::invalid_argument{"a second run begins; read_launches takes several"};
    });
    return runs.empty() ? run_file{} : std::move(runs.front());
}

} // namespace sonde

#endif
