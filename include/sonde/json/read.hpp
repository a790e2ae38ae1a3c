// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/json.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <istream>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::detail {

/// Add a line to the last run, or to a new run if the line begins a run.
void add_line(json const& j, std::vector<run_file>& runs);

/// Call a function. Its exceptions become std::runtime_error, with the path and the line number.
template <class Use>
void with_place(std::string const& path, std::size_t number, Use use) {
    try {
        use();
    } catch (std::exception const& e) {
        std::string message = e.what();
        // Without the prefix of nlohmann/json: "[json.exception.out_of_range.403] ".
        if (message.starts_with("[json.exception.")) message.erase(0, message.find("] ") + 2);
        throw std::runtime_error{path + ':' + std::to_string(number) + ": " + message};
    }
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

/// Call `use(json)` for every line. A last line without a line feed, which a killed job did not complete, is ignored.
/// `path` is the name of the stream in messages.
///
/// Throws std::runtime_error, with path and line number, if a line is not JSON or `use` throws.
template <class Use>
void for_each_json_line(std::istream& in, std::string const& path, Use use) {
    std::size_t number = 0;
    for (std::string line; std::getline(in, line) && !in.eof();) {
        ++number;
        detail::with_place(path, number, [&] { use(json::parse(line)); });
    }
}

/// As above, for the lines of a file. Throws std::system_error if it cannot be read.
template <class Use>
void for_each_json_line(std::string const& path, Use use) {
    std::ifstream file{path};
    if (!file) throw std::system_error{errno, std::generic_category(), "cannot read '" + path + "'"};
    for_each_json_line(file, path, std::move(use));
}

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

namespace sonde::inline v0_1::detail {

/// Throw std::invalid_argument if an environment is of a later schema, whose lines would be misread.
SONDE_INLINE void require_known_schema(json const& j) {
    std::optional<int> version;
    if (j.contains("schema_version")) read_value(j.at("schema_version"), version);
    if (version > schema_version)
        throw std::invalid_argument{"lines of version " + std::to_string(*version) +
                                    " of the schema; this Sonde reads those up to version " +
                                    std::to_string(schema_version)};
}

SONDE_INLINE void add_line(json const& j, std::vector<run_file>& runs) {
    if (!j.is_object() || !j.contains("type")) throw std::invalid_argument{"has no type: no line of Sonde"};
    auto const type = j.at("type").get<std::string>();
    auto const used = !runs.empty() && (runs.back().environment || !runs.back().records.empty() ||
                                        !runs.back().comparisons.empty() || !runs.back().scopes.empty());
    if (runs.empty() || type == "launch" || (type == "environment" && used)) runs.emplace_back();
    auto& run = runs.back();
    if (run.environment && j.contains("stolen_seconds")) read_value(j.at("stolen_seconds"), run.environment->stolen);
    if (type == "record") run.records.push_back(j.get<record>());
    else if (type == "comparison") run.comparisons.push_back(j.get<reported_comparison>());
    else if (type == "scopes") run.scopes.push_back(j.at("scopes").get<std::vector<scope_record>>());
    else if (type == "environment") {
        require_known_schema(j);
        run.environment = j.get<environment>();
    } else if (type == "launch") run.launch = j.get<launch>();
    else
        throw std::invalid_argument{"the type '" + type +
                                    "' is none of record, comparison, scopes, environment, launch"};
}

} // namespace sonde::detail

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
