// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace tools::model {

using cells = std::vector<std::string>;

/// Lines whose columns stand below each other: the first `left` to the left, others to the right. Blanks at the end of
/// a line go.
inline std::vector<std::string> aligned(std::vector<cells> const& table, std::size_t left = 0) {
    std::vector<std::size_t> widths;
    for (auto const& line : table)
        for (std::size_t i = 0; i != line.size(); ++i) {
            if (i == widths.size()) widths.push_back(0);
            widths[i] = std::max(widths[i], sonde::detail::character_count(line[i]));
        }
    std::vector<std::string> lines;
    for (auto const& line : table) {
        auto& text = lines.emplace_back();
        for (std::size_t i = 0; i != line.size(); ++i)
            text += (i == 0 ? "" : "  ") + sonde::detail::padded(line[i], widths[i], i < left);
        text.erase(text.find_last_not_of(' ') + 1);
    }
    return lines;
}

} // namespace tools::model
