// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/gnuplot.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sonde::detail {

/// Text in lines with so many letters at most where its words allow it; one at least.
inline std::vector<std::string> wrapped(std::string_view text, std::size_t most) {
    std::vector<std::string> lines(1);
    for (std::size_t at = 0; at < text.size();) {
        auto const end = std::min(text.find_first_not_of(' ', std::min(text.find(' ', at), text.size())), text.size());
        auto const word = text.substr(at, end - at); // with the blanks behind it
        if (!lines.back().empty() && letters(lines.back()) + letters(word) > most) lines.emplace_back();
        lines.back() += word;
        at = end;
    }
    return lines;
}

/// Such lines as a string of gnuplot's, which cuts off what does not fit into one.
inline std::string gnuplot_lines(std::string_view text, std::size_t most) {
    std::string all;
    for (auto const& line : wrapped(text, most)) all += (all.empty() ? "" : ".\"\\n\".") + gnuplot_quoted(line);
    return all;
}

} // namespace sonde::detail
