// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/lateness_record.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/report/columns.hpp>
#include <sonde/report/text.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

namespace detail {

/// True for the type of a quantity that is measured, not counted. A record without times has no such quantity.
template <class T>
inline constexpr bool is_measured =
    std::floating_point<T> || std::same_as<T, seconds> || std::same_as<T, confidence_interval>;
template <class T>
inline constexpr bool is_measured<std::optional<T>> = is_measured<T>;

/// The text of a metric of the record.
template <class T>
std::string cell_of(record const& r, T const& value, int decimals) {
    return is_measured<T> && !has_times(r) ? "-" : cell_text(value, decimals);
}

} // namespace detail

/// One column of a table: a title, a metric, and the number of decimals.
///
///     metric(record) -> double, an integer, seconds or confidence_interval (both shown in microseconds), text
///                       (aligned left), or std::optional of one of these. Shown as "-": an empty optional, a number
///                       that is not finite, and, for a record without times (`has_times`), all metrics except
///                       integers and text
struct column {
    std::string title;                              // first line of the column
    std::function<std::string(record const&)> text; // of a record's cell
    bool left;                                      // alignment
    bool hide_if_empty = false;                     // left out if no cell has text

    template <std::invocable<record const&> Metric>
    column(std::string heading, Metric metric, int decimals = 2)
        : title{std::move(heading)}, text{[metric = std::move(metric), decimals](record const& r) {
              return detail::cell_of(r, metric(r), decimals);
          }},
          left{std::convertible_to<std::invoke_result_t<Metric, record const&>, std::string>} {}

    /// The same column, left out until a record has a value for it.
    [[nodiscard]] column hidden_if_empty() && {
        hide_if_empty = true;
        return std::move(*this);
    }
};

namespace detail {

inline std::optional<double> megabytes_per_second(record const& r) {
    auto const speed = bandwidth(r);
    return speed > 0 ? std::optional{speed / 1e6} : std::nullopt;
}

/// The batch size if samples are batches. Percentiles are then percentiles of batch means.
inline std::optional<std::size_t> batch_if_several(record const& r) {
    return r.batch > 1 ? std::optional{r.batch} : std::nullopt;
}

/// A column of a table of records, identified by source and title, because a parameter may have the title of a metric.
struct column_head {
    enum class source : unsigned char { name, parameter, metric };

    source from;
    std::string title;
    bool left;

    bool operator==(column_head const&) const = default;
};

struct table_cell : column_head {
    std::string text;
    bool shown; // false: empty, and no reason to show its column

    // g++ 12 warns of an uninitialized string where an aggregate of strings is moved into a vector.
    table_cell(source of, std::string_view heading, bool align_left, std::string_view contents, bool show = true)
        : column_head{of, plain_text(heading), align_left}, text{plain_text(contents)}, shown{show} {}
};

/// The name of the point if it has one, its parameters, then the columns.
std::vector<table_cell> cells_of(record const& r, std::vector<column> const& columns);

/// The columns of a table that have a value in any row after the first, the titles; all columns if there is no such
/// row.
std::vector<std::size_t> columns_with_values(std::vector<std::vector<std::string>> const& rows);

/// The element of the same column as `head`, or nullptr.
template <class Cells>
auto find_column(Cells& cells, column_head const& head) {
    auto const same = [&](column_head const& c) { return c.title == head.title && c.from == head.from; };
    auto const found = std::find_if(cells.begin(), cells.end(), same);
    return found == cells.end() ? nullptr : &*found;
}

} // namespace detail

/// The columns of `table` after the point's name and parameters: times of one iteration on the slowest rank, in
/// microseconds, and the bandwidth of all initiators together at the median time.
[[nodiscard]] std::vector<column> default_columns();

namespace detail {

/// The name and the parameters of an alternative as one text: "blocking (bytes 8)".
std::string alternative_text(comparison const& found, std::size_t i);
std::string alternative_text(std::string const& name, std::vector<parameter> const& parameters);

/// A part of 1 in percent, with a decimal if it is not whole: "95 %", "99.9 %".
std::string percent_text(double part);

/// "95 % interval".
inline std::string interval_title(criterion required) { return percent_text(required.confidence) + " interval"; }

/// Title of the column of `gain_text`.
inline constexpr char const* gain_title = "won of loop";

/// What an alternative wins of the loop's time, in percent: "1.75 % (1.50..2.03)"; "-" if that is not known.
std::string gain_text(comparison const& found, std::size_t i, criterion required);

/// Meaning of `gain_text`: "at most, by the transfer in halo, 10 % of the loop; waiting there, 20 %, is not won".
std::string gain_note(application_scope const& application);

} // namespace detail

/// The alternatives of a comparison as rows of an aligned table: name, parameters, median time of the slowest rank in
/// microseconds, speed-up over the base with its confidence interval, what it wins in the application if the comparison
/// has its scope there (`gain_in_application`), and outcome by the criterion. An alternative
/// without a name has its number, from 0, the base. Below the rows are what is won and the flags of the records, if
/// there are any: "flags of blocking: timer_limited", or "flags: oversubscribed" if all have the same. Throws what
/// `speedup` throws.
class comparison_table {
public:
    explicit comparison_table(output_file out) : out_{std::move(out)} {}

    void operator()(comparison const& found, criterion required = {});

private:
    output_file out_;
};

/// Reporter: records as rows of an aligned table, each written when it is reported.
///
/// The first columns are the point's name and parameters, as valid UTF-8 without control characters. A header is
/// written before the first row, and again before a row that does not fit the header because it has another column or a
/// wider text. A comparison is a table of its own, that of `comparison_table`, and so are the scopes of a probe, that
/// of `probe_table`, and who made ranks wait, that of `lateness_table`.
class table {
public:
    explicit table(output_file out, std::vector<column> columns = default_columns())
        : out_{std::move(out)}, columns_{std::move(columns)} {}

    void operator()(record const& r);
    void operator()(comparison const& found, criterion required = {});
    void operator()(std::vector<scope_record> const& found);
    void operator()(lateness_record const& found);

private:
    struct header_cell : detail::column_head {
        std::size_t width;
    };
    static constexpr std::size_t min_number_width = 9; // most rows of a sweep then fit under one header

    /// Begin a table: with an empty line before it, unless it is the first.
    void begin_table() {
        if (std::exchange(begun_, true)) out_.line("");
    }

    template <class TextOf>
    void write(TextOf text_of) {
        auto line =
            detail::joined(header_, "  ", [&](auto const& h) { return detail::padded(text_of(h), h.width, h.left); });
        line.erase(line.find_last_not_of(' ') + 1);
        out_.line(std::move(line));
    }

    output_file out_;
    std::vector<column> columns_;
    std::vector<header_cell> header_; // of the table that the output ends with; empty after a comparison
    bool begun_ = false;
};

/// Scopes of a probe (the result of `collect`) as rows of an aligned table, nested scopes indented.
///
/// "passes" counts the passes of all ranks; median, p99 and max are times of single passes, in microseconds. "s per
/// rank" is the mean total time of the ranks that entered the scope. "share" is that of all ranks' time in the
/// enclosing scope or, of an outermost scope, since the probes were made. "max/mean" is the largest total divided by
/// the mean, and "slowest" is the rank whose passes usually take longest (`slow_rank`). Bytes are
/// the mean over the passes of all ranks, MB/s per rank. Columns without a value in any row are left out.
class probe_table {
public:
    explicit probe_table(output_file out) : out_{std::move(out)} {}

    void operator()(std::vector<scope_record> const& found);

private:
    output_file out_;
};

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/report/lateness_table.hpp>

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::vector<table_cell> cells_of(record const& r, std::vector<column> const& columns) {
    using enum column_head::source;
    std::vector<table_cell> row;
    if (!r.point.name.empty()) row.emplace_back(name, "name", true, r.point.name);
    for (auto const& p : r.point.parameters) row.emplace_back(parameter, p.name, !p.number, p.text);
    for (auto const& c : columns) {
        auto const text = c.text(r);
        auto const shown = !c.hide_if_empty || text != "-";
        row.emplace_back(metric, c.title, c.left, text, shown);
    }
    return row;
}

SONDE_INLINE std::vector<std::size_t> columns_with_values(std::vector<std::vector<std::string>> const& rows) {
    std::vector<std::size_t> found;
    for (std::size_t c = 0; c != rows.front().size(); ++c) {
        auto const empty = [c](auto const& row) { return row[c] == "-"; };
        if (rows.size() == 1 || !std::all_of(rows.begin() + 1, rows.end(), empty)) found.push_back(c);
    }
    return found;
}

SONDE_INLINE std::string alternative_text(std::string const& name, std::vector<parameter> const& parameters) {
    auto const values = joined(parameters, ", ", [](parameter const& p) { return plain_text(p.name + ' ' + p.text); });
    return values.empty() ? name : name + " (" + values + ')';
}

SONDE_INLINE std::string alternative_text(comparison const& found, std::size_t i) {
    return alternative_text(alternative_name(found, i), found.records.at(i).point.parameters);
}

SONDE_INLINE std::string percent_text(double part) {
    auto text = fixed(100 * part, 1);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text + " %";
}

SONDE_INLINE std::string gain_text(comparison const& found, std::size_t i, criterion required) {
    auto const gain = gain_in_application(found, i, required.confidence);
    auto const percent = [](double share) { return fixed(100 * share, 2); };
    return gain ? percent(gain->value) + " % (" + percent(gain->low) + ".." + percent(gain->high) + ')' : "-";
}

SONDE_INLINE std::string gain_note(application_scope const& application) {
    if (!(application.loop > seconds{})) return "unknown, because the loop of " + application.name + " has no time";
    return "at most, by the transfer in " + plain_text(application.name) + ", " +
           percent_text(application.transfer / application.loop) + " of the loop; waiting there, " +
           percent_text(application.waiting / application.loop) + ", is not won";
}

SONDE_INLINE std::vector<std::string> row_of_alternative(comparison const& found, std::size_t i, criterion required) {
    auto const interval = interval_over_base(found, i, required);
    std::vector<std::string> row{alternative_text(found, i), median_text(found.records[i]),
                                 cell_text(speedup_of_times(found, i), 3),
                                 interval ? fixed(interval->low, 3) + ".." + fixed(interval->high, 3) : "-"};
    if (found.application) row.push_back(gain_text(found, i, required));
    row.emplace_back(i == 0 ? "(base)" : outcome_text(found, i, required));
    return row;
}

/// A line for the flags of all records, or for those of each record that has any.
SONDE_INLINE std::vector<std::string> flag_lines(comparison const& found) {
    std::vector<std::string> texts, lines;
    bool are_equal = !found.records.empty();
    for (auto const& r : found.records) {
        texts.push_back(to_string(r.flags));
        are_equal = are_equal && texts.back() == texts.front();
    }
    if (are_equal && texts.front() != "-") return {"flags: " + texts.front()};
    for (std::size_t i = 0; i != texts.size() && !are_equal; ++i)
        if (texts[i] != "-") lines.push_back("flags of " + alternative_text(found, i) + ": " + texts[i]);
    return lines;
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE std::vector<column> default_columns() {
    return {
        {"median us", [](record const& r) { return median(r); }, 3},
        {"median 95 % interval", [](record const& r) { return median_interval(r); }, 3},
        {"tau", [](record const& r) { return estimate_median(r).tau; }, 1},
        {"p99 us", [](record const& r) { return percentile(r, 0.99); }, 3},
        {"slowest mean us", mean, 3},
        column{"MB/s", detail::megabytes_per_second}.hidden_if_empty(),
        {"samples", [](record const& r) { return r.stop.samples; }},
        column{"batch", detail::batch_if_several}.hidden_if_empty(),
        column{"errors", [](record const& r) { return r.errors; }}.hidden_if_empty(),
        {"stopped by", [](record const& r) { return std::string{to_string(r.stop.reason)}; }},
        {"flags", [](record const& r) { return to_string(r.flags); }},
    };
}

SONDE_INLINE void comparison_table::operator()(comparison const& found, criterion required) {
    std::vector<std::vector<std::string>> rows{
        {"alternative", "median us", "speed-up", detail::interval_title(required)}};
    if (found.application) rows.front().emplace_back(detail::gain_title);
    rows.front().emplace_back("outcome");
    for (std::size_t i = 0; i != found.records.size(); ++i)
        rows.push_back(detail::row_of_alternative(found, i, required));
    std::vector<std::string> lines(rows.size());
    for (std::size_t c = 0; c != rows.front().size(); ++c)
        detail::append_column(lines, rows, c, c == 0 || c + 1 == rows.front().size());
    for (auto& line : lines) {
        line.erase(line.find_last_not_of(' ') + 1);
        out_.line(std::move(line));
    }
    if (found.application) out_.line(detail::gain_title + (": " + detail::gain_note(*found.application)));
    for (auto& line : detail::flag_lines(found)) out_.line(std::move(line));
}

SONDE_INLINE void table::operator()(record const& r) {
    auto row = detail::cells_of(r, columns_);
    std::erase_if(row, [](auto const& cell) { return !cell.shown; });
    std::vector<header_cell> header; // in which columns stay at least as wide as they were
    auto fits = true;
    for (auto const& cell : row) {
        auto const* const before = detail::find_column(header_, cell);
        auto const width = detail::character_count(cell.text), old_width = before ? before->width : 0;
        fits = fits && before && width <= old_width;
        header.push_back({cell, std::max({detail::character_count(cell.title), width, cell.left ? 0 : min_number_width,
                                          old_width})});
    }
    if (!fits) {
        begin_table();
        header_ = std::move(header);
        write([](detail::column_head const& head) { return head.title; });
    }
    write([&](detail::column_head const& head) {
        auto const* const cell = detail::find_column(row, head);
        return cell == nullptr ? "-" : cell->text;
    });
}

SONDE_INLINE void table::operator()(comparison const& found, criterion required) {
    begin_table();
    comparison_table{out_}(found, required);
    header_.clear();
}

SONDE_INLINE void table::operator()(std::vector<scope_record> const& found) {
    begin_table();
    probe_table{out_}(found);
    header_.clear();
}

SONDE_INLINE void table::operator()(lateness_record const& found) {
    begin_table();
    lateness_table{out_}(found);
    header_.clear();
}

SONDE_INLINE void probe_table::operator()(std::vector<scope_record> const& found) {
    auto rows = detail::table_rows(found);
    for (std::size_t i = 0; i != found.size(); ++i) rows[i + 1].front().insert(0, 2 * found[i].depth, ' ');
    std::vector<std::string> lines(rows.size());
    for (auto const c : detail::columns_with_values(rows)) detail::append_column(lines, rows, c, c == 0);
    for (auto& line : lines) out_.line(std::move(line));
}

} // namespace sonde

#endif
