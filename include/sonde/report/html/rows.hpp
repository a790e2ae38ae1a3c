// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/report/column.hpp>
#include <sonde/report/html/columns.hpp>

#include <algorithm>
#include <string>
#include <utility>
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

/// Whether any row has something to show there.
inline bool any_shown(html_head const& head, std::vector<html_row const*> const& rows) {
    return std::any_of(rows.begin(), rows.end(), [&](auto const* row) {
        auto const* const cell = cell_under(head, *row);
        return cell != nullptr && cell->shown;
    });
}

/// Whether it is a parameter with one value in all of several rows: a column of it would say nothing.
inline bool same_in_all(html_head const& head, std::vector<html_row const*> const& rows) {
    if (!head.parameter || rows.size() < 2) return false;
    auto const* const first = cell_under(head, *rows.front());
    return first != nullptr && std::all_of(rows.begin(), rows.end(), [&](auto const* row) {
               auto const* const cell = cell_under(head, *row);
               return cell != nullptr && cell->text == first->text;
           });
}

/// What a table shows: columns, parameters as they come and then what any row has to show; and what is the same of all
/// rows.
struct html_heads {
    std::vector<html_head> columns{};
    std::vector<html_head> common{};
};

inline html_heads heads_of(std::vector<html_row const*> const& rows) {
    std::vector<html_head> all;
    for (auto const* row : rows) add_heads(all, *row, true);
    for (auto const* row : rows) add_heads(all, *row, false);
    html_heads heads;
    for (auto& head : all)
        if (any_shown(head, rows)) (same_in_all(head, rows) ? heads.common : heads.columns).push_back(std::move(head));
    return heads;
}

} // namespace sonde::detail
