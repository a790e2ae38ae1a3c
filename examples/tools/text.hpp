// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace tools {

/// "10 launches", "1 launch".
inline std::string count_text(std::size_t n, std::string const& noun) {
    auto const plural = noun.ends_with("ch") || noun.ends_with("s") ? "es" : "s";
    return std::to_string(n) + ' ' + noun + (n == 1 ? "" : plural);
}

/// Print lines, each with a prefix.
inline void print(std::vector<std::string> const& lines, char const* prefix = "", std::FILE* to = stdout) {
    for (auto const& line : lines) std::fprintf(to, "%s%s\n", prefix, sonde::detail::plain_text(line).c_str());
}

using cells = std::vector<std::string>;

/// Columns of a table that are aligned on the left; the others are aligned on the right.
struct left_aligned {
    bool first = false;
    bool last = false;
};

/// Lines of a text table with two blanks between columns. Lines have no trailing blanks.
inline std::vector<std::string> aligned(std::vector<cells> const& table, left_aligned left) {
    std::vector<std::size_t> widths(table.front().size());
    for (auto const& line : table)
        for (std::size_t i = 0; i != line.size(); ++i)
            widths[i] = std::max(widths[i], sonde::detail::character_count(line[i]));
    std::vector<std::string> lines;
    for (auto const& line : table) {
        auto& text = lines.emplace_back();
        for (std::size_t i = 0; i != line.size(); ++i) {
            auto const is_left = (left.first && i == 0) || (left.last && i + 1 == widths.size());
            text += (i == 0 ? "" : "  ") + sonde::detail::padded(line[i], widths[i], is_left);
        }
        text.erase(text.find_last_not_of(' ') + 1);
    }
    return lines;
}

} // namespace tools
