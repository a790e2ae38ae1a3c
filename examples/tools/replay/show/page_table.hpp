// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/drawing/html_contents.hpp>
#include <sonde/drawing/html_document.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace tools::replay {

/// A column of a table of a page.
struct page_column {
    std::string name;
    bool is_number = false;
};

/// A table up to its first row. Its end is `sonde::detail::html_table_end`.
inline std::string table_begin(std::string const& caption, std::vector<page_column> const& columns) {
    auto text = "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"" + caption +
                "\">\n<table class=\"results\">\n<caption>" + caption + "</caption>\n<thead><tr>";
    for (auto const& c : columns)
        text += std::string{"<th scope=\"col\""} + (c.is_number ? " class=\"number\"" : "") + '>' + c.name + "</th>";
    return text + "</tr></thead>\n<tbody>\n";
}

inline std::string row_of(std::vector<page_column> const& columns, std::vector<std::string> const& cells) {
    std::string text = "<tr>";
    for (std::size_t i = 0; i != cells.size(); ++i)
        text += std::string{"<td"} + (columns[i].is_number ? " class=\"number\"" : "") + '>' +
                sonde::detail::html_escaped(cells[i]) + "</td>";
    return text + "</tr>\n";
}

} // namespace tools::replay
