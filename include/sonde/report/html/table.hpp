// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/html/escape.hpp>
#include <sonde/report/html/rows.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace sonde::detail {

inline std::string html_class(html_head const& head) { return head.left ? "" : " class=\"number\""; }

/// A line of a table. What a record has nothing to show for is a dash.
inline std::string html_line_of(html_row const& row, std::vector<html_head> const& heads) {
    std::string line = row.failed ? "<tr class=\"failed\">" : "<tr>";
    for (auto const& head : heads) {
        auto const* const cell = cell_under(head, row);
        auto const none = cell == nullptr || cell->text == "-";
        line += "<td" + html_class(head) + '>' + (none ? "\u2013" : html_escaped(cell->text)) + "</td>";
    }
    return line + "</tr>\n";
}

/// What all rows have in common, as the end of a caption.
inline std::string html_common(html_row const& row, std::vector<html_head> const& common) {
    std::string text;
    for (auto const& head : common)
        text += (text.empty() ? "; in all rows " : ", ") + html_escaped(head.title + ' ' + cell_under(head, row)->text);
    return text;
}

/// A table up to its first row. The box around it is what a wide table scrolls in, by keys too.
inline std::string html_table_begin(std::string const& name, std::vector<html_head> const& heads,
                                    std::string const& common = {}) {
    std::string text = "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"Table: " + html_escaped(name) +
                       "\">\n<table class=\"results\">\n<caption>Times of one iteration, slowest rank" + common +
                       "</caption>\n<thead><tr>";
    for (auto const& head : heads)
        text += "<th scope=\"col\"" + html_class(head) + '>' + html_escaped(head.title) + "</th>";
    return text + "</tr></thead>\n<tbody>\n";
}

inline constexpr std::string_view html_table_end = "</tbody>\n</table>\n</div>\n";

/// The whole table of some rows, one at least.
inline std::string html_table(std::string const& name, std::vector<html_row const*> const& rows) {
    auto const [columns, common] = heads_of(rows);
    auto text = html_table_begin(name, columns, html_common(*rows.front(), common));
    for (auto const* row : rows) text += html_line_of(*row, columns);
    return text.append(html_table_end);
}

} // namespace sonde::detail
