// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/json/environment.hpp>
#include <sonde/json/launch.hpp>
#include <sonde/json/record.hpp>
#include <sonde/json/values.hpp>
#include <sonde/run_file.hpp>

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <istream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sonde {

namespace detail {

/// Without what the JSON library puts before it: "[json.exception.out_of_range.403] ".
inline std::string plain(std::string const& what) {
    if (!what.starts_with("[json.exception.")) return what;
    auto const end = what.find("] ");
    return end == what.npos ? what : what.substr(end + 2);
}

} // namespace detail

/// Gives `use` the JSON of every line. A last line that has no end is what a killed job was about to write, and is left
/// out. `path` is what errors name.
///
/// Throws std::runtime_error, with path and line, for a line that is no JSON or that `use` throws about.
template <class Use>
void for_each_json_line(std::istream& in, std::string const& path, Use use) {
    std::size_t number = 0;
    for (std::string line; std::getline(in, line) && !in.eof();) {
        ++number;
        try {
            use(json::parse(line));
        } catch (std::exception const& e) {
            throw std::runtime_error{path + ':' + std::to_string(number) + ": " + detail::plain(e.what())};
        }
    }
}

/// Of a file. Throws std::system_error where it cannot be read.
template <class Use>
void for_each_json_line(std::string const& path, Use use) {
    std::ifstream file{path};
    if (!file) throw std::system_error{errno, std::generic_category(), "cannot read '" + path + "'"};
    for_each_json_line(file, path, use);
}

namespace detail {

/// The run that a line goes into: the last one, or a new one where none has begun or the line `begins` one.
inline run_file& run_of_line(std::vector<run_file>& runs, bool begins) {
    if (begins || runs.empty()) runs.emplace_back();
    return runs.back();
}

inline void add_line(json const& j, std::vector<run_file>& runs) {
    if (!j.is_object() || !j.contains("type")) throw std::invalid_argument{"has no type: no line of Sonde"};
    auto const type = j.at("type").get<std::string>();
    if (type == "record") {
        run_of_line(runs, false).records.push_back(j.get<record>());
    } else if (type == "environment") {
        auto const begun = !runs.empty() && (runs.back().made_in || !runs.back().records.empty());
        run_of_line(runs, begun).made_in = j.get<environment>();
    } else if (type == "launch") {
        run_of_line(runs, true).launched = j.get<launch>();
    } else {
        throw std::invalid_argument{"the type '" + type + "' is none of record, environment, launch"};
    }
}

} // namespace detail

/// Every run of a file, in order: what `sonde-launch` collected, or files of `json_lines` one behind the other. A run
/// begins with its launch, or where there is none with its environment. Throws as `for_each_json_line` does.
[[nodiscard]] inline std::vector<run_file> read_launches(std::string const& path) {
    std::vector<run_file> runs;
    for_each_json_line(path, [&](json const& j) { detail::add_line(j, runs); });
    return runs;
}

/// Of a text that is there; `path` is what errors name.
[[nodiscard]] inline std::vector<run_file> read_launches(std::istream& in, std::string const& path) {
    std::vector<run_file> runs;
    for_each_json_line(in, path, [&](json const& j) { detail::add_line(j, runs); });
    return runs;
}

/// What `json_lines` wrote, of one run. Throws as `for_each_json_line` does, and for a second run.
[[nodiscard]] inline run_file read_json_lines(std::string const& path) {
    std::vector<run_file> runs;
    for_each_json_line(path, [&](json const& j) {
        detail::add_line(j, runs);
        if (runs.size() > 1) throw std::invalid_argument{"a second run begins; read_launches takes several"};
    });
    return runs.empty() ? run_file{} : std::move(runs.front());
}

} // namespace sonde
