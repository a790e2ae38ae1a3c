// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/drawing/figure.hpp>
#include <sonde/drawing/gnuplot.hpp>
#include <sonde/drawing/html_document.hpp>
#include <sonde/drawing/lateness_page.hpp>
#include <sonde/drawing/rank_pages.hpp>
#include <sonde/drawing/size_figures.hpp>
#include <sonde/drawing/speedup_page.hpp>
#include <sonde/lateness/lateness_record.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report.hpp>
#include <sonde/report/table.hpp>
#include <sonde/report/to_string.hpp>
#include <sonde/stop.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sonde::inline v0_1::detail {

bool failed(record const& r);

/// A time with four digits and its unit: "63.96 ms", "310.0 us".
std::string time_text(seconds t);

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

/// What was found, as a sentence: "ring: the median is 63.96 ms." or "ring: medians from 1.200 us (bytes 8) to 310.0 us
/// (bytes 65536).", without the parameters that are equal in all records. The records have the same name. Empty
/// without times.
std::string conclusion(std::vector<record const*> const& records);
/// The outcomes: "Comparison with blocking (100.0 us): persistent is faster, 1.250 times as fast (1.200 – 1.300)."
std::string conclusion(reported_comparison const& of);

/// The columns that a row shows. A column with numbers and texts is aligned like a column of texts.
html_heads heads_of(std::vector<html_row> const& rows);

/// A row of a table. A column for which the record has no value shows a dash.
std::string html_table_row(html_row const& row, std::vector<column_head> const& heads);

/// A table up to its first row, with the parameters that all rows have in the caption. The box around the table scrolls
/// if the table is too wide, also by keys.
std::string html_table_begin(html_row const& row, html_heads const& heads);

inline constexpr char const* html_table_end = "</tbody>\n</table>\n</div>\n";

/// The ranks of a record as they are drawn: commands of gnuplot in place of the samples, which may be many.
struct rank_figures {
    std::string name;    // of the record
    std::string title;   // the parameters of the record
    std::string summary; // the ranks that finished last
    double spread = 1;   // of the ranks' medians
    std::string violins{}, strip{};

    explicit rank_figures(record const& r)
        : name{r.point.name}, title{title_of({r.point.parameters.empty() ? r.point.name : "", r.point.parameters})},
          summary{joined(straggler_texts(r), " ")}, spread{rank_spread(rank_medians(r))} {
        if (summary.empty()) summary = "No rank finished last by 5 % or more after the median rank.";
        violins = rank_violin_page("", r);
        strip = rank_strip_page("", r);
    }

    /// True if there is something to draw: several ranks and samples, and a positive time.
    static bool possible(record const& r) {
        return r.ranks > 1 && samples_per_rank(r) > 1 &&
               std::any_of(r.rank_samples->begin(), r.rank_samples->end(), [](seconds t) { return t > seconds{0}; });
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
    /// The waiting of each rank, and the waiting that it caused; nothing without steps.
    std::string figures(lateness_record const& of);
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
