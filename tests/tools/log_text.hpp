// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/records/log.hpp"

#include <string>
#include <vector>

namespace log_text {

using texts = std::vector<std::string>;

inline tools::log_contents read(std::string const& text) { return tools::read_log(text, "a"); }

inline std::string const size_line = "# Size       Avg Latency(us)\n", osu_title = "# OSU MPI Latency Test v7.4\n";
inline std::string const osu = osu_title + size_line;

/// A line of a table in the width of OMB.
inline std::string row(std::string const& size, std::string const& value) {
    return size + std::string(28 - size.size() - value.size(), ' ') + value + '\n';
}

/// Sizes of a table.
inline std::vector<double> sizes(tools::log_table const& t) {
    std::vector<double> all;
    for (auto const& r : t.rows) all.push_back(r.bytes);
    return all;
}

} // namespace log_text
