// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/metrics.hpp>
#include <sonde/record.hpp>
#include <sonde/report/html/document.hpp>
#include <sonde/report/table.hpp>
#include <sonde/report/text.hpp>
#include <sonde/stop.hpp>
#include <sonde/time.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sonde {

namespace detail {

inline bool failed(record const& r) { return r.errors.value_or(0) != 0; }

/// Errors are marked by a sign and not only by color, which is neither printed nor seen by all.
inline std::optional<std::string> html_errors(record const& r) {
    if (!r.errors) return std::nullopt;
    return failed(r) ? "\u2717 " + std::to_string(*r.errors) : "0";
}

inline std::optional<std::string> html_median_interval(record const& r) {
    auto const i = median_interval(r);
    return i ? std::optional{cell_text(i->low, 3) + " \u2013 " + cell_text(i->high, 3)} : std::nullopt;
}

inline std::string html_stop_reason(record const& r) {
    constexpr char const* words[] = {
        "-", "samples", "time", "precision", "noise floor", "own rule", "precision unreachable"};
    return words[static_cast<unsigned char>(r.stop.reason)];
}

inline std::string html_flags(record const& r) {
    std::vector<std::string> words;
    if (r.flags.timer_limited) words.emplace_back("short beside the timer");
    if (r.flags.skew_dominated) words.emplace_back("ranks began far apart");
    if (r.flags.clock_drift) words.emplace_back("the global clock drifted");
    return words.empty() ? "-" : joined(words, "; ");
}

/// The latency as figures show it; none if it is the time of the iteration.
inline std::optional<seconds> one_way(record const& r) {
    return r.total.hops == 1 ? std::nullopt : std::optional{latency(r)};
}

inline column aligned_right(column c) {
    c.left = false;
    return c;
}

} // namespace detail

/// The columns of `html` after the parameters: those of `default_columns`, with words in place of identifiers.
[[nodiscard]] inline std::vector<column> html_columns() {
    using detail::aligned_right;
    return {
        {"median (\u00b5s)", [](record const& r) { return median(r); }, 3},
        aligned_right(column{"95 % interval (\u00b5s)", detail::html_median_interval}.hidden_if_empty()),
        column{"median one way (\u00b5s)", detail::one_way, 3}.hidden_if_empty(),
        {"mean (\u00b5s)", mean_of_slowest, 3},
        column{"P99 (\u00b5s)", [](record const& r) { return percentile(r, 0.99); }, 3}.hidden_if_empty(),
        column{"bandwidth (MB/s)", detail::megabytes_per_second}.hidden_if_empty(),
        {"samples", [](record const& r) { return r.stop.samples; }},
        column{"batch", detail::batch_if_several}.hidden_if_empty(),
        aligned_right(column{"errors", detail::html_errors}.hidden_if_empty()),
        {"stopped by", detail::html_stop_reason},
        column{"remarks", detail::html_flags}.hidden_if_empty(),
    };
}

namespace detail {

/// The texts of a record.
struct html_row {
    std::string name;
    std::vector<table_cell> cells;
    bool failed;
};

using html_rows = std::vector<html_row const*>;

inline html_row html_row_of(record const& r, std::vector<column> const& columns) {
    return {r.point.name, cells_of(r, columns), failed(r)};
}

struct html_heads {
    std::vector<column_head> columns{}; // parameters in the order given, then metrics
    std::vector<column_head> common{};  // parameters with one value in all of several rows
};

/// The columns of one source in any row. A column with numbers and texts is aligned as texts are.
inline std::vector<column_head> all_heads(html_rows const& rows, column_head::source from) {
    std::vector<column_head> heads;
    for (auto const* row : rows)
        for (auto const& cell : row->cells) {
            if (cell.head.from != from) continue;
            auto const same = [&](column_head const& other) { return other.same_column(cell.head); };
            auto const known = std::find_if(heads.begin(), heads.end(), same);
            if (known == heads.end()) heads.push_back(cell.head);
            else known->left |= cell.head.left;
        }
    return heads;
}

inline html_heads heads_of(html_rows const& rows) {
    html_heads heads;
    for (auto const from : {column_head::source::parameter, column_head::source::metric})
        for (auto const& head : all_heads(rows, from)) {
            std::vector<table_cell const*> cells;
            for (auto const* row : rows) cells.push_back(find_cell(row->cells, head));
            auto const shown = [](auto const* cell) { return cell != nullptr && cell->shown; };
            auto const same = [&](auto const* cell) {
                return cell != nullptr && cells.front() != nullptr && cell->text == cells.front()->text;
            };
            if (!std::any_of(cells.begin(), cells.end(), shown)) continue;
            auto const common = from == column_head::source::parameter && rows.size() > 1 &&
                                std::all_of(cells.begin(), cells.end(), same);
            (common ? heads.common : heads.columns).push_back(head);
        }
    return heads;
}

inline std::string html_class(column_head const& head) { return head.left ? "" : " class=\"number\""; }

/// A row of a table. A column for which the record has no value shows a dash.
inline std::string html_table_row(html_row const& row, std::vector<column_head> const& heads) {
    return (row.failed ? "<tr class=\"failed\">" : "<tr>") +
           joined(heads, "",
                  [&](column_head const& head) {
                      auto const* const cell = find_cell(row.cells, head);
                      auto const none = cell == nullptr || cell->text == "-";
                      return "<td" + html_class(head) + '>' + (none ? "\u2013" : html_escaped(cell->text)) + "</td>";
                  }) +
           "</tr>\n";
}

/// A table up to its first row, with the parameters that all rows have in the caption. The box around the table scrolls
/// if the table is too wide, also by keys.
inline std::string html_table_begin(html_row const& row, html_heads const& heads) {
    auto const common = joined(heads.common, ", ", [&](column_head const& head) {
        return html_escaped(head.title + ' ' + find_cell(row.cells, head)->text);
    });
    return "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"Table: " + html_escaped(row.name) +
           "\">\n<table class=\"results\">\n<caption>Times of one iteration, slowest rank" +
           (common.empty() ? "" : "; in all rows " + common) + "</caption>\n<thead><tr>" +
           joined(heads.columns, "",
                  [](column_head const& head) {
                      return "<th scope=\"col\"" + html_class(head) + '>' + html_escaped(head.title) + "</th>";
                  }) +
           "</tr></thead>\n<tbody>\n";
}

inline constexpr std::string_view html_table_end = "</tbody>\n</table>\n</div>\n";

/// The table of at least one row.
inline std::string html_table(html_rows const& rows) {
    auto const heads = heads_of(rows);
    return html_table_begin(*rows.front(), heads) +
           joined(rows, "", [&](auto const* row) { return html_table_row(*row, heads.columns); }) +
           std::string{html_table_end};
}

} // namespace detail

} // namespace sonde
