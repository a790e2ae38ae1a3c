// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/gnuplot.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace sonde::detail {

/// Text as a string of gnuplot's, of lines with so many letters at most where its words allow it: gnuplot cuts off what
/// does not fit.
inline std::string gnuplot_lines(std::string_view text, std::size_t most) {
    std::string all, line;
    for (std::size_t at = 0; at < text.size();) {
        auto const end = std::min(text.find_first_not_of(' ', std::min(text.find(' ', at), text.size())), text.size());
        auto const word = text.substr(at, end - at); // with the blanks behind it
        if (!line.empty() && letters(line) + letters(word) > most) {
            all += gnuplot_quoted(line) + ".\"\\n\".";
            line.clear();
        }
        line += word;
        at = end;
    }
    return all + gnuplot_quoted(line);
}

} // namespace sonde::detail
