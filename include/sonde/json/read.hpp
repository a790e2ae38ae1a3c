// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>
#include <sonde/json/environment.hpp>
#include <sonde/json/record.hpp>
#include <sonde/json/values.hpp>
#include <sonde/record.hpp>

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace sonde {

/// What a file of JSON lines holds.
struct run_file {
    std::optional<environment> made_in;
    std::vector<record> records;
};

namespace detail {

inline void add_line(std::string const& line, run_file& into) {
    auto const j = json::parse(line);
    auto const type = j.at("type").get<std::string>();
    if (type == "record") {
        into.records.push_back(j.get<record>());
    } else if (type == "environment") {
        if (into.made_in) throw std::invalid_argument{"a second environment: the file holds more than one run"};
        into.made_in = j.get<environment>();
    } else {
        throw std::invalid_argument{"the type '" + type + "' is neither a record nor an environment"};
    }
}

} // namespace detail

/// What `json_lines` wrote. A last line that has no end is what a killed job was about to write, and is left out.
///
/// Throws std::system_error where the file cannot be read, and std::runtime_error, with path and line, for a line that
/// is not what `json_lines` writes.
inline run_file read_json_lines(std::string const& path) {
    std::ifstream file{path};
    if (!file) throw std::system_error{errno, std::generic_category(), "cannot read '" + path + "'"};
    run_file found;
    std::size_t number = 0;
    for (std::string line; std::getline(file, line) && !file.eof();) {
        ++number;
        try {
            detail::add_line(line, found);
        } catch (std::exception const& e) {
            throw std::runtime_error{path + ':' + std::to_string(number) + ": " + e.what()};
        }
    }
    return found;
}

} // namespace sonde
