// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report.hpp>
#include <sonde/report/comparison_table.hpp>
#include <sonde/report/figure.hpp>
#include <sonde/report/gnuplot.hpp>
#include <sonde/report/html/document.hpp>
#include <sonde/report/rank_pages.hpp>
#include <sonde/report/size_figures.hpp>
#include <sonde/report/speedup_page.hpp>
#include <sonde/report/table.hpp>
#include <sonde/stop.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sonde::inline v0_1 {

namespace detail {

bool failed(record const& r);

/// The latency as figures show it; empty if it equals the time of the iteration.
std::optional<seconds> one_way(record const& r);

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

/// The rows of a comparison: an alternative's name and parameters, its speed-up with interval and outcome, then the
/// columns.
std::vector<html_row> rows_of(reported_comparison const& of, std::vector<column> const& columns);

/// "Comparison with blocking (bytes 8)", the base.
std::string comparison_title(comparison const& found);

/// The meaning of the columns of a comparison, as a sentence for people.
std::string comparison_note(reported_comparison const& of);

/// The columns that a row shows. A column with numbers and texts is aligned like a column of texts.
html_heads heads_of(std::vector<html_row> const& rows);

/// A row of a table. A column for which the record has no value shows a dash.
std::string html_table_row(html_row const& row, std::vector<column_head> const& heads);

/// A table up to its first row, with the parameters that all rows have in the caption. The box around the table scrolls
/// if the table is too wide, also by keys.
std::string html_table_begin(html_row const& row, html_heads const& heads);

inline constexpr char const* html_table_end = "</tbody>\n</table>\n</div>\n";

} // namespace detail

/// The columns of `html` after the parameters: the columns of `default_columns`, with words in place of identifiers.
[[nodiscard]] std::vector<column> html_columns();

} // namespace sonde

namespace sonde::inline v0_1::detail {

/// The ranks of a record as they are drawn: commands of gnuplot in place of the samples, which may be many.
struct rank_figures {
    std::string name;    // of the record
    std::string title;   // the parameters of the record
    std::string summary; // names the stragglers
    double spread = 1;   // of the ranks' medians
    std::string violins{}, strip{};

    explicit rank_figures(record const& r)
        : name{r.point.name}, title{title_of({r.point.parameters.empty() ? r.point.name : "", r.point.parameters})},
          summary{joined(straggler_texts(r), " ")}, spread{rank_spread(rank_medians(r))} {
        if (summary.empty()) summary = "No rank was the slowest more often than chance allows.";
        violins = rank_violin_page("", r);
        strip = rank_strip_page("", r);
    }

    /// True if there is something to draw: several ranks and samples, and a positive time.
    static bool possible(record const& r) {
        return r.ranks > 1 && samples_per_rank(r) > 1 &&
               std::any_of(r.rank_samples.begin(), r.rank_samples.end(), [](seconds t) { return t > seconds{0}; });
    }
};

/// The SVG with `prefix` before its identifiers and in the references to them, which are all inside of tags.
std::string prefixed(std::string_view svg, std::string_view prefix);

/// gnuplot's SVG as an element of a page: without the XML prolog, scaled to the available width, with an alternative
/// text. Identifiers are unique within a page, because the identifiers of the picture begin with `prefix`. Throws
/// std::runtime_error if the text is no SVG.
std::string svg_element(std::string_view svg, std::string const& prefix, std::string const& alternative);

/// The alternative text of a figure.
std::string description(figure const& f);

/// Draws the figures of a page. After the first failure of gnuplot nothing is drawn, and `error` is its message.
class figure_writer {
public:
    std::string figures(std::vector<record> const& records);
    /// The violins and the strip of a record's ranks.
    std::string figures(rank_figures const& of);
    /// The speed-ups of a comparison; nothing if there is only a base.
    std::string figures(reported_comparison const& of);
    std::string const& error() const { return error_; }

private:
    std::string element(figure f);

    /// The title is text of the page, above the picture, so that a browser wraps it.
    template <class Draw>
    std::string element(std::string const& title, std::string const& alternative, Draw const& draw_it) {
        if (!error_.empty()) return {};
        try {
            auto const prefix = "f" + std::to_string(++count_) + "-";
            return "<figure>\n<figcaption>" + html_escaped(title) + "</figcaption>\n" +
                   svg_element(draw_it(), prefix, alternative) + "</figure>\n";
        } catch (std::exception const& e) {
            error_ = e.what();
            return {};
        }
    }

    std::size_t count_ = 0;
    std::string error_;
};

} // namespace sonde::detail

#if SONDE_DEFINITIONS
#include <stdexcept>
#include <utility>

namespace sonde::inline v0_1::detail {

SONDE_INLINE bool failed(record const& r) { return r.errors.value_or(0) != 0; }

/// Errors are marked by a sign and not only by color, which is neither printed nor seen by all.
SONDE_INLINE std::optional<std::string> html_errors(record const& r) {
    if (!r.errors) return std::nullopt;
    return failed(r) ? "\u2717 " + std::to_string(*r.errors) : "0";
}

SONDE_INLINE std::optional<std::string> html_median_interval(record const& r) {
    auto const i = median_interval(r);
    return i ? std::optional{cell_text(i->low, 3) + " \u2013 " + cell_text(i->high, 3)} : std::nullopt;
}

SONDE_INLINE std::string html_stop_reason(record const& r) {
    constexpr char const* words[] = {
        "-", "samples", "time", "precision", "noise floor", "own rule", "precision unreachable"};
    return words[static_cast<unsigned char>(r.stop.reason)];
}

SONDE_INLINE std::string html_flags(record const& r) {
    std::vector<std::string> words;
    if (r.flags.timer_limited) words.emplace_back("short beside the timer");
    if (r.flags.skew_dominated) words.emplace_back("ranks began far apart");
    if (r.flags.clock_drift) words.emplace_back("the global clock drifted");
    if (r.flags.correlated) words.emplace_back("correlated samples");
    if (r.flags.oversubscribed) words.emplace_back("more ranks than processors");
    if (r.flags.clock_fault) words.emplace_back("a clock went back or stood still");
    return words.empty() ? "-" : joined(words, "; ");
}

SONDE_INLINE std::optional<seconds> one_way(record const& r) {
    return r.total.hops == 1 ? std::nullopt : std::optional{latency(r)};
}

SONDE_INLINE html_heads heads_of(std::vector<html_row> const& rows) {
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

SONDE_INLINE std::vector<html_row> rows_of(reported_comparison const& of, std::vector<column> const& columns) {
    using enum column_head::source;
    auto const& [found, required] = of;
    std::vector<html_row> rows;
    for (std::size_t i = 0; i != found.records.size(); ++i) {
        auto const interval = interval_over_base(found, i, required);
        auto const ends = interval ? fixed(interval->low, 3) + " \u2013 " + fixed(interval->high, 3) : "-";
        std::vector<table_cell> cells{{parameter, "alternative", true, alternative_name(found, i)},
                                      {metric, "speed-up", false, fixed(speedup(found, i), 3)},
                                      {metric, interval_title(required), false, ends},
                                      {metric, "outcome", true, i == 0 ? "base" : outcome_text(found, i, required)}};
        for (auto& cell : cells_of(found.records[i], columns)) {
            auto const is_shared = cell.title == "samples" || cell.title == "batch" || cell.title == "stopped by";
            if (is_shared) cell.from = parameter; // equal for all alternatives, and so in the caption
            cells.push_back(std::move(cell));
        }
        rows.push_back({comparison_title(found), std::move(cells), failed(found.records[i])});
    }
    return rows;
}

SONDE_INLINE std::string comparison_title(comparison const& found) {
    return "Comparison with " + alternative_text(found, 0);
}

SONDE_INLINE std::string comparison_note(reported_comparison const& of) {
    auto const& [found, required] = of;
    return "Speed-up: the base\u2019s time over the alternative\u2019s, median over " +
           std::to_string(found.records.front().series.size()) +
           " rounds. An alternative is faster or slower if its whole interval is" +
           (required.gain > 0 ? ", by more than " + percent_text(required.gain) : "") +
           "; all intervals hold together with a confidence of " + percent_text(required.confidence) + ".";
}

SONDE_INLINE std::string html_class(column_head const& head) { return head.left ? "" : " class=\"number\""; }

SONDE_INLINE std::string html_table_row(html_row const& row, std::vector<column_head> const& heads) {
    std::string text = row.failed ? "<tr class=\"failed\">" : "<tr>";
    for (auto const& head : heads) {
        auto const* const cell = find_column(row.cells, head);
        auto const none = cell == nullptr || cell->text == "-";
        text += "<td" + html_class(head) + '>' + (none ? "\u2013" : html_escaped(cell->text)) + "</td>";
    }
    return text + "</tr>\n";
}

SONDE_INLINE std::string html_table_begin(html_row const& row, html_heads const& heads) {
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

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE std::vector<column> html_columns() {
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

namespace sonde::inline v0_1::detail {

SONDE_INLINE canvas svg_canvas(std::size_t height) {
    return {"svg background 'white' noenhanced font 'sans,14' size 640," + std::to_string(height)};
}

/// Draw a figure as SVG, small enough for its text to be readable on a phone. A legend of more than three lines makes
/// the picture higher, not the axes shorter.
SONDE_INLINE std::string draw_svg(figure const& f) {
    constexpr std::size_t legend_width = 45, legend_rows = 3;
    std::size_t longest = 0;
    for (auto const& c : f.curves) longest = std::max(longest, character_count(c.name));
    auto const columns = std::max<std::size_t>(1, 500 / (70 + 8 * std::min(longest, legend_width)));
    auto const rows = (f.curves.size() + columns - 1) / columns * legend_lines(f, legend_width);
    auto const height = 420 + 22 * (std::max(legend_rows, rows) - legend_rows);
    return picture(svg_canvas(height), figure_page(f, legend_width));
}

SONDE_INLINE std::string prefixed(std::string_view svg, std::string_view prefix) {
    std::string text;
    for (bool in_tag = false; !svg.empty();) {
        in_tag = svg.front() == '<' || (in_tag && svg.front() != '>');
        std::size_t length = 1;
        for (std::string_view const mark : {" id='", " id=\"", "href='#", "href=\"#", "url(#"})
            if (in_tag && svg.starts_with(mark)) length = mark.size();
        text.append(svg.substr(0, length)).append(length == 1 ? "" : prefix);
        svg.remove_prefix(length);
    }
    return text;
}

SONDE_INLINE std::string svg_element(std::string_view svg, std::string const& prefix, std::string const& alternative) {
    auto const box = svg.find("viewBox=\""), begin = svg.find("<g "), end = svg.rfind("</svg>");
    if (box > begin || begin > end || end == svg.npos) throw std::runtime_error{"gnuplot drew no SVG"};
    auto const view_box = std::string{svg.substr(box, svg.find('"', box + 9) + 1 - box)};
    return "<svg role=\"img\" aria-label=\"" + html_escaped(alternative) + "\" " + view_box + ">\n" +
           prefixed(as_utf8(svg.substr(begin, end - begin)), prefix) + "</svg>\n";
}

/// True if a curve has two points or more: a single point is no figure.
SONDE_INLINE bool worth_drawing(figure const& f) {
    return std::any_of(f.curves.begin(), f.curves.end(), [](curve const& c) {
        std::size_t points = 0;
        for (std::size_t i = 0; i != c.y.size(); ++i) points += c.x[i] > 0 && c.y[i].value_or(0) > 0;
        return points > 1;
    });
}

SONDE_INLINE std::string description(figure const& f) {
    auto text = "Figure: " + f.y_axis.label + " over " + f.x_axis.label + ", " + f.title;
    for (auto const& c : f.curves)
        if (!c.name.empty()) text += "; " + c.name;
    return text + ". The table below has the values.";
}

/// The frame around pictures; nothing without a picture.
SONDE_INLINE std::string in_figures(std::string const& pictures) {
    return pictures.empty() ? pictures : "<div class=\"figures\">\n" + pictures + "</div>\n";
}

SONDE_INLINE std::string figure_writer::figures(std::vector<record> const& records) {
    std::string all;
    for (auto const& part : split_into_figures(records))
        all += element(latency_figure(part)) + element(bandwidth_figure(part));
    return in_figures(all);
}

SONDE_INLINE std::string figure_writer::figures(rank_figures const& of) {
    auto const all = element("Distribution of the times of each rank", "Violins, one for each rank. " + of.summary,
                             [&] { return picture(svg_canvas(420), of.violins); }) +
                     element("Time of each rank in each sample",
                             "A row for each rank, a column for each sample, times as colors. " + of.summary,
                             [&] { return picture(svg_canvas(420), of.strip); });
    return in_figures(all);
}

SONDE_INLINE std::string figure_writer::figures(reported_comparison const& of) {
    auto const& [found, required] = of;
    if (found.records.size() < 2) return {};
    auto const all =
        element("Speed-up with its " + interval_title(required),
                "Speed-up of each alternative as a point with its interval. The table below has the values.",
                [&found = found, required = required] {
                    return picture(svg_canvas(speedup_page_height(found)), speedup_page("", found, required));
                });
    return in_figures(all);
}

SONDE_INLINE std::string figure_writer::element(figure f) {
    if (!worth_drawing(f)) return {};
    auto const alternative = description(f), title = std::exchange(f.title, {});
    return element(title, alternative, [&] { return draw_svg(f); });
}

} // namespace sonde::detail

#endif
