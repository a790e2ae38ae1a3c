// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/measure/metrics.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report/html/document.hpp>
#include <sonde/report/table.hpp>
#include <sonde/report/text.hpp>
#include <sonde/stop.hpp>

#include <optional>
#include <string>
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
    if (r.flags.correlated) words.emplace_back("correlated samples");
    if (r.flags.oversubscribed) words.emplace_back("more ranks than processors");
    if (r.flags.clock_fault) words.emplace_back("a clock went back or stood still");
    return words.empty() ? "-" : joined(words, "; ");
}

/// The latency as figures show it; empty if it equals the time of the iteration.
inline std::optional<seconds> one_way(record const& r) {
    return r.total.hops == 1 ? std::nullopt : std::optional{latency(r)};
}

/// The texts of a record.
struct html_row {
    std::string name;
    std::vector<table_cell> cells;
    bool failed;
};

struct html_heads {
    std::vector<column_head> columns{}; // parameters in the order given, then metrics
    std::vector<column_head> common{};  // parameters with one value in all of several rows
};

/// The columns that a row shows. A column with numbers and texts is aligned like a column of texts.
inline html_heads heads_of(std::vector<html_row> const& rows) {
    struct found_column : column_head {
        bool shown = false;
        std::vector<std::string> texts{};
    };
    using enum column_head::source;
    std::vector<found_column> all;
    for (auto const& row : rows)
        for (auto const& cell : row.cells) {
            auto* known = find_column(all, cell);
            if (known == nullptr) known = &all.emplace_back(found_column{cell});
            known->left |= cell.left;
            known->shown |= cell.shown;
            known->texts.push_back(cell.text);
        }
    html_heads heads;
    for (auto const from : {parameter, metric})
        for (auto const& c : all) {
            if (c.from != from || !c.shown) continue;
            auto const same = c.texts == std::vector(rows.size(), c.texts.front());
            (from == parameter && rows.size() > 1 && same ? heads.common : heads.columns).push_back(c);
        }
    return heads;
}

inline std::string html_class(column_head const& head) { return head.left ? "" : " class=\"number\""; }

/// A row of a table. A column for which the record has no value shows a dash.
inline std::string html_table_row(html_row const& row, std::vector<column_head> const& heads) {
    std::string text = row.failed ? "<tr class=\"failed\">" : "<tr>";
    for (auto const& head : heads) {
        auto const* const cell = find_column(row.cells, head);
        auto const none = cell == nullptr || cell->text == "-";
        text += "<td" + html_class(head) + '>' + (none ? "\u2013" : html_escaped(cell->text)) + "</td>";
    }
    return text + "</tr>\n";
}

/// A table up to its first row, with the parameters that all rows have in the caption. The box around the table scrolls
/// if the table is too wide, also by keys.
inline std::string html_table_begin(html_row const& row, html_heads const& heads) {
    auto const common = joined(heads.common, ", ", [&](column_head const& head) {
        return html_escaped(head.title + ' ' + find_column(row.cells, head)->text);
    });
    std::string titles;
    for (auto const& head : heads.columns)
        titles += "<th scope=\"col\"" + html_class(head) + '>' + html_escaped(head.title) + "</th>";
    return "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"Table: " + html_escaped(row.name) +
           "\">\n<table class=\"results\">\n<caption>Times of one iteration, slowest rank" +
           (common.empty() ? "" : "; in all rows " + common) + "</caption>\n<thead><tr>" + titles +
           "</tr></thead>\n<tbody>\n";
}

inline constexpr char const* html_table_end = "</tbody>\n</table>\n</div>\n";

} // namespace detail

/// The columns of `html` after the parameters: the columns of `default_columns`, with words in place of identifiers.
[[nodiscard]] inline std::vector<column> html_columns() {
    return {
        {"median (\u00b5s)", [](record const& r) { return median(r); }, 3},
        column{"95 % interval (\u00b5s)", detail::html_median_interval}.hidden_if_empty(),
        column{"median one way (\u00b5s)", detail::one_way, 3}.hidden_if_empty(),
        {"mean (\u00b5s)", mean, 3},
        column{"P99 (\u00b5s)", [](record const& r) { return percentile(r, 0.99); }, 3}.hidden_if_empty(),
        column{"bandwidth (MB/s)", detail::megabytes_per_second}.hidden_if_empty(),
        {"samples", [](record const& r) { return r.stop.samples; }},
        column{"batch", detail::batch_if_several}.hidden_if_empty(),
        column{"errors", detail::html_errors}.hidden_if_empty(),
        {"stopped by", detail::html_stop_reason},
        column{"remarks", detail::html_flags}.hidden_if_empty(),
    };
}

} // namespace sonde
