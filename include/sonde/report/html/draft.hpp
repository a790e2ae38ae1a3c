// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/html/escape.hpp>
#include <sonde/report/html/page.hpp>
#include <sonde/report/html/rows.hpp>
#include <sonde/report/html/table.hpp>

#include <string>
#include <vector>

namespace sonde::detail {

/// A page as it grows while the program runs: each piece is put behind the ones before. Browsers close by themselves
/// what is open at the end.
class html_draft {
public:
    static std::string begin(html_page const& page) {
        return page.begin() +
               "<p class=\"note\">Unfinished: the program is running, or was broken off. What it measured so far is "
               "here; figures, and tables that can be sorted, come at its end.</p>\n" +
               page.environment_text();
    }

    /// In the table of the record before where it fits there, else in a new one.
    std::string next(html_row const& row) {
        auto const heads = heads_of({&row}).columns;
        std::string text;
        if (name_ != row.name || heads_ != heads) {
            if (!heads_.empty()) text += html_table_end;
            if (heads_.empty() || name_ != row.name) text += "<h2>" + html_escaped(row.name) + "</h2>\n";
            text += html_table_begin(row.name, heads);
            name_ = row.name;
            heads_ = heads;
        }
        return text + html_line_of(row, heads);
    }

private:
    std::string name_;
    std::vector<html_head> heads_;
};

} // namespace sonde::detail
