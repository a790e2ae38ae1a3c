// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/history_page.hpp"

#include "tools/compare/history.hpp"
#include "tools/compare/history_text.hpp"
#include "tools/compare/matched_rows.hpp"
#include "tools/compare/row_text.hpp"

#include <sonde/drawing/figure.hpp>
#include <sonde/drawing/gnuplot.hpp>
#include <sonde/drawing/html_contents.hpp>
#include <sonde/drawing/html_document.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <exception>

namespace tools {

namespace {

using sonde::detail::html_escaped;

/// Medians of the nights, with their intervals. Nights are numbered from 1.
sonde::curve night_curve(row_history const& row, time_scale const& scale) {
    auto const has_interval = [](summary const& s) { return s.interval.has_value(); };
    auto const has_any = std::any_of(row.course.begin(), row.course.end(), has_interval);
    sonde::curve c{has_any ? "median of a night, with its 95 % interval" : "median of a night"};
    auto const value = [&](sonde::seconds t) { return t.count() * scale.per_second; };
    for (std::size_t i = 0; i != row.course.size(); ++i) {
        auto const& s = row.course[i];
        c.x.push_back(static_cast<double>(row.nights[i] + 1));
        c.y.emplace_back(value(s.median));
        c.low.push_back(s.interval ? std::optional{value(s.interval->low)} : std::nullopt);
        c.high.push_back(s.interval ? std::optional{value(s.interval->high)} : std::nullopt);
    }
    return c;
}

/// Adds a gap, which interrupts the curve.
void add_gap(sonde::curve& c) {
    c.x.push_back(0);
    c.y.emplace_back();
}

/// A line for each level.
sonde::curve level_curve(row_history const& row, time_scale const& scale) {
    sonde::curve c{"level"};
    c.measured = false;
    for (std::size_t i = 0; i != row.levels.size(); ++i) {
        auto const first = i == 0 ? 0 : row.changes[i - 1].at;
        auto const last = i == row.changes.size() ? row.nights.size() : row.changes[i].at;
        for (auto const x :
             {static_cast<double>(row.nights[first]) + 0.6, static_cast<double>(row.nights[last - 1]) + 1.4}) {
            c.x.push_back(x);
            c.y.emplace_back(row.levels[i].count() * scale.per_second);
        }
        add_gap(c);
    }
    return c;
}

/// A mark at the first night of each new level.
sonde::curve change_curve(row_history const& row, time_scale const& scale) {
    sonde::curve c{"change"};
    for (auto const& change : row.changes) {
        c.x.push_back(static_cast<double>(row.nights[change.at] + 1));
        c.y.emplace_back(change.after.count() * scale.per_second);
        add_gap(c);
    }
    return c;
}

sonde::figure figure_of(row_history const& row) {
    time_scale const scale{row.levels.front()};
    return {"",
            {"number of the night", sonde::axis_scale::linear},
            {std::string{"time ("} + scale.unit + ')', sonde::axis_scale::linear},
            {night_curve(row, scale), level_curve(row, scale), change_curve(row, scale)}};
}

std::string figure_text(std::vector<night> const& nights, row_history const& row, std::size_t number) {
    sonde::canvas const small{"svg background 'white' noenhanced font 'sans,14' size 640,340"};
    auto const name = name_of({row.at, row.occurrence, {}, {}});
    auto const since = sonde::detail::joined(row.changes, ", ", [&](level_change const& c) {
        return nights[row.nights[c.at]].name + (c.outcome() == sonde::outcome::slower ? " (slower)" : " (faster)");
    });
    return "<figure>\n<figcaption>" + html_escaped(name) + "</figcaption>\n" +
           sonde::detail::svg_element(sonde::detail::picture(small, sonde::figure_page(figure_of(row), 45)),
                                      "f" + std::to_string(number) + '-',
                                      "Time of " + name + " over the nights. Changes since " + since + '.') +
           "</figure>\n";
}

/// The figures of the rows that changed; a note without gnuplot.
std::string figures_text(std::vector<night> const& nights, std::vector<row_history> const& rows) {
    std::string text;
    try {
        for (std::size_t i = 0; i != rows.size(); ++i)
            if (!rows[i].changes.empty()) text += figure_text(nights, rows[i], i + 1);
    } catch (std::exception const& e) {
        return "<p class=\"note\">Without figures: " + html_escaped(e.what()) + ".</p>\n";
    }
    return text.empty() ? text : "<div class=\"figures\">\n" + text + "</div>\n";
}

/// Table whose first line has the titles. The first and the last column are texts, the others numbers.
std::string table_text(std::string const& heading, std::string const& caption, std::vector<cells> const& table) {
    auto const line_text = [&](cells const& line, std::string const& element) {
        std::string text = "<tr>";
        for (std::size_t i = 0; i != line.size(); ++i)
            text += '<' + element + (element == "th" ? " scope=\"col\"" : "") +
                    (i == 0 || i + 1 == line.size() ? ">" : " class=\"number\">") +
                    (line[i] == "-" ? "\u2013" : html_escaped(line[i])) + "</" + element + '>';
        return text + "</tr>";
    };
    auto text = "<section>\n<h2>" + heading +
                "</h2>\n<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"Table: " + heading +
                "\">\n<table>\n<caption>" + html_escaped(caption) + "</caption>\n<thead>" +
                line_text(table.front(), "th") + "</thead>\n<tbody>\n";
    for (std::size_t i = 1; i != table.size(); ++i) text += line_text(table[i], "td") + '\n';
    return text + sonde::detail::html_table_end + "</section>\n";
}

std::vector<cells> night_cells(std::vector<night> const& nights) {
    std::vector<cells> table{{"number", "night", "launches", "file"}};
    for (std::size_t i = 0; i != nights.size(); ++i)
        table.push_back({std::to_string(i + 1), nights[i].name, std::to_string(nights[i].launches.runs.size()),
                         nights[i].launches.path});
    return table;
}

} // namespace

void write_history_page(std::string const& path, std::vector<night> const& nights, std::vector<row_history> const& rows,
                        std::string const& totals) {
    auto page = sonde::detail::html_begin("sonde-compare") + "<p class=\"summary\">" + html_escaped(totals) + "</p>\n";
    if (auto const lines = night_lines(nights, rows); !lines.empty()) {
        page += "<ul>\n";
        for (auto const& line : lines)
            page += (line.starts_with(' ') ? "<li>\u2003" : "<li>") + html_escaped(line) + "</li>\n";
        page += "</ul>\n<section>\n<h2>Changes</h2>\n" + figures_text(nights, rows) + "</section>\n" +
                table_text("Levels", "Medians of the nights before and after each change", change_cells(nights, rows));
    }
    auto const common = common_settings(rows);
    page += table_text("Rows",
                       "The first and the last level of each row" + (common.empty() ? common : ": " + common.substr(2)),
                       history_cells(nights, rows)) +
            table_text("Nights", "Numbers of the nights in figures", night_cells(nights));
    sonde::output_file{path}.write(page + sonde::detail::html_end());
}

} // namespace tools
