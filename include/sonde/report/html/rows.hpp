// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/report/column.hpp>
#include <sonde/report/html/columns.hpp>

#include <string>
#include <vector>

namespace sonde::detail {

/// What a column of a page's table is known by: a parameter may be called as a column is.
struct html_head {
    std::string title;
    bool parameter;
    bool left;

    bool operator==(html_head const&) const = default;
    bool same_column(html_head const& other) const { return title == other.title && parameter == other.parameter; }
};

struct html_cell {
    html_head head;
    std::string text;
    bool shown = true; // has its column shown
};

/// A record, as texts.
struct html_row {
    std::string name;
    std::vector<html_cell> cells;
    bool failed;
};

inline html_cell html_cell_of(parameter const& p) { return {{p.name, true, !p.number}, p.text}; }

inline html_cell html_cell_of(column const& c, record const& r) {
    html_cell cell{{c.title, false, c.left}, c.text(r)};
    cell.shown = c.always || cell.text != "-";
    return cell;
}

inline html_row html_row_of(record const& r, std::vector<column> const& columns) {
    html_row row{r.at.name, {}, failed(r)};
    for (auto const& p : r.at.parameters) row.cells.push_back(html_cell_of(p));
    for (auto const& c : columns) row.cells.push_back(html_cell_of(c, r));
    return row;
}

inline html_cell const* cell_under(html_head const& head, html_row const& row) {
    for (auto const& c : row.cells)
        if (c.head.same_column(head)) return &c;
    return nullptr;
}

/// Adds those columns of a row that are new; of numbers and texts under one head texts win.
inline void add_heads(std::vector<html_head>& heads, html_row const& row, bool parameters) {
    for (auto const& c : row.cells) {
        if (c.head.parameter != parameters) continue;
        auto at = heads.begin();
        while (at != heads.end() && !at->same_column(c.head)) ++at;
        if (at == heads.end()) heads.push_back(c.head);
        else at->left |= c.head.left;
    }
}

/// The columns of a table: parameters as they come, then what any row has to show.
inline std::vector<html_head> heads_of(std::vector<html_row const*> const& rows) {
    std::vector<html_head> heads;
    for (auto const* row : rows) add_heads(heads, *row, true);
    for (auto const* row : rows) add_heads(heads, *row, false);
    std::erase_if(heads, [&](html_head const& head) {
        for (auto const* row : rows)
            if (auto const* const cell = cell_under(head, *row); cell != nullptr && cell->shown) return false;
        return true;
    });
    return heads;
}

} // namespace sonde::detail
