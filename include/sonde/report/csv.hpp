// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/report/text.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

namespace detail {

/// A field as in RFC 4180, in one line of plain text: if it contains a comma or a quote, it is quoted and its quotes
/// are doubled. A text that a spreadsheet would evaluate gets a leading apostrophe, which makes spreadsheets show it as
/// text.
std::string csv_field(std::string_view text);

/// A number with all its digits, a time in seconds; empty for an empty optional, and for a number that is not finite.
template <class T>
std::string csv_text(T const& value) {
    if constexpr (requires { value.has_value(); }) return value ? csv_text(*value) : std::string{};
    else if constexpr (std::same_as<T, seconds>) return csv_text(value.count());
    else if constexpr (std::floating_point<T>) return is_finite(value) ? shortest(value) : std::string{};
    else if constexpr (std::integral<T>) return std::to_string(value);
    else return value;
}

struct csv_column {
    char const* title;
    std::string (*text)(record const&);

    template <class Metric>
    constexpr csv_column(char const* heading, Metric)
        : title{heading}, text{[](record const& r) { return csv_text(Metric{}(r)); }} {}
};

/// The value, empty for a record without times.
template <class T>
std::optional<T> if_timed(record const& r, T value) {
    return has_times(r) ? std::optional{value} : std::nullopt;
}

std::optional<seconds> interval_end(record const& r, seconds confidence_interval::*end);

std::optional<seconds> global_median(record const& r);

std::optional<std::size_t> csv_outliers(record const& r);

/// The columns after a point's name and parameters. Times are in seconds, of one iteration; a field without a value is
/// empty.
inline constexpr csv_column csv_columns[] = {
    {"ranks", [](record const& r) { return r.ranks; }},
    {"initiators", [](record const& r) { return r.initiators; }},
    {"total_bytes", [](record const& r) { return r.total.bytes; }},
    {"total_messages", [](record const& r) { return r.total.messages; }},
    {"hops", [](record const& r) { return r.total.hops; }},
    {"bus_factor", [](record const& r) { return r.total.bus_factor; }},
    {"batch", [](record const& r) { return r.batch; }},
    {"samples", [](record const& r) { return r.stop.samples; }},
    {"stopped_by", [](record const& r) { return to_string(r.stop.reason); }},
    {"median_seconds", [](record const& r) { return if_timed(r, median(r)); }},
    {"median_low_seconds", [](record const& r) { return interval_end(r, &confidence_interval::low); }},
    {"median_high_seconds", [](record const& r) { return interval_end(r, &confidence_interval::high); }},
    {"autocorrelation_time", [](record const& r) { return if_timed(r, estimate_median(r).tau); }},
    {"p99_seconds", [](record const& r) { return percentile(r, 0.99); }},
    {"max_seconds", [](record const& r) { return if_timed(r, quantile(r, 1)); }},
    {"tukey_outliers", [](record const& r) { return csv_outliers(r); }},
    {"slowest_mean_seconds", [](record const& r) { return if_timed(r, mean(r)); }},
    {"rank_min_seconds", [](record const& r) { return if_timed(r, r.over_ranks.min); }},
    {"rank_mean_seconds", [](record const& r) { return if_timed(r, r.over_ranks.mean); }},
    {"rank_max_seconds", [](record const& r) { return if_timed(r, r.over_ranks.max); }},
    {"first_seconds", [](record const& r) { return r.first; }},
    {"clock_cost_seconds", [](record const& r) { return r.clock_properties.cost; }},
    {"clock_resolution_seconds", [](record const& r) { return r.clock_properties.resolution; }},
    {"clock_bias_seconds", [](record const& r) { return r.clock_properties.bias; }},
    {"timer_limited", [](record const& r) { return r.flags.timer_limited; }},
    {"skew_dominated", [](record const& r) { return r.flags.skew_dominated; }},
    {"clock_drift", [](record const& r) { return r.flags.clock_drift; }},
    {"correlated", [](record const& r) { return r.flags.correlated; }},
    {"oversubscribed", [](record const& r) { return r.flags.oversubscribed; }},
    {"clock_fault", [](record const& r) { return r.flags.clock_fault; }},
    {"global_median_seconds", [](record const& r) { return global_median(r); }},
    {"late_samples", [](record const& r) { return r.global ? std::optional{r.global->late_samples} : std::nullopt; }},
    {"errors", [](record const& r) { return r.errors; }},
};

} // namespace detail

/// Reporter: records as comma-separated values: a header, then a line for each record. A line is written when its
/// record is reported.
///
/// The columns are the name, the parameters, and then `detail::csv_columns`. Every number reads back as the same
/// number. Quoting follows RFC 4180, lines end with a line feed. The environment and the series are not written
/// (`json_lines` writes them). Throws std::invalid_argument for a record whose parameters have other names than those
/// of the first record.
///
/// A comparison is a line for each alternative, with the columns of a record and then "speedup", "speedup_low",
/// "speedup_high", "outcome" ("base", "faster", "slower", "undecided"), and the criterion's "gain" and "confidence". A
/// parameter that an alternative does not have is an empty field. Consecutive comparisons with the same columns are one
/// table. Throws what `speedup` throws.
///
/// The scopes of a probe (the result of `collect`) are a line each: the number of the list in the file, from 0, the
/// index of the scope in the list and of its parent, and its members and metrics as in JSON (docs/json.md).
///
/// A file holds one table. A table with other columns goes to a file beside it, whose name has a number: after
/// "run.csv" comes "run.2.csv". A stream or a device holds all tables, with an empty line between them.
class csv {
public:
    explicit csv(output_file out) : tables_{{{}, std::move(out)}} {}

    void operator()(record const& r);
    void operator()(comparison const& found, criterion required = {});
    void operator()(std::vector<scope_record> const& found);

private:
    struct table {
        std::vector<std::string> titles; // of the columns; empty before the first line
        output_file out;                 // that ends with this table
    };
    /// The file of the table with these columns, which begins if there is none.
    output_file& table_of(std::vector<std::string> titles);

    std::vector<table> tables_;
    std::optional<std::vector<std::string>> names_; // of the parameters of records
    std::size_t lists_ = 0;                         // of scopes
};

} // namespace sonde

#if SONDE_DEFINITIONS
#include <stdexcept>

namespace sonde::inline v0_1::detail {

/// Removes the first character if it is one of `any`; false if it is not.
SONDE_INLINE bool take(std::string_view& text, std::string_view any) {
    auto const found = !text.empty() && any.find(text[0]) != std::string_view::npos;
    if (found) text.remove_prefix(1);
    return found;
}

/// True for a number without a sign: "7", "1.5e-09". libc++ has no std::from_chars of numbers with a decimal point.
SONDE_INLINE bool is_unsigned_number(std::string_view text) {
    auto const take_digits = [&text] {
        auto const before = text.size();
        while (take(text, "0123456789")) {
        }
        return text.size() != before;
    };
    auto has_digits = take_digits();
    if (take(text, ".")) has_digits = take_digits() || has_digits;
    if (has_digits && take(text, "eE")) {
        take(text, "+-");
        has_digits = take_digits();
    }
    return has_digits && text.empty();
}

/// True for a text that a spreadsheet would take for a formula: it begins with =, +, - or @ and is no number.
SONDE_INLINE bool looks_like_formula(std::string_view text) {
    if (text.size() < 2 || std::string_view{"=+-@"}.find(text[0]) == std::string_view::npos) return false;
    return text[0] == '=' || text[0] == '@' || !is_unsigned_number(text.substr(1));
}

SONDE_INLINE std::string csv_field(std::string_view text) {
    auto plain = plain_text(text);
    if (looks_like_formula(text)) plain.insert(0, 1, '\'');
    if (plain.find_first_of(",\"") == std::string::npos) return plain;
    std::string quoted = "\"";
    for (char const c : plain) quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

SONDE_INLINE std::optional<seconds> interval_end(record const& r, seconds confidence_interval::*end) {
    auto const interval = median_interval(r);
    return interval ? std::optional{(*interval).*end} : std::nullopt;
}

SONDE_INLINE std::optional<seconds> global_median(record const& r) {
    return r.global && !r.global->series.empty() ? std::optional{median(as_span(r.global->series))} : std::nullopt;
}

SONDE_INLINE std::optional<std::size_t> csv_outliers(record const& r) {
    if (!has_times(r)) return std::nullopt;
    auto const found = tukey_outliers(r);
    return found.below + found.above;
}

/// Titles and texts of the columns of a scope after its index. Times are in seconds; a metric without a value is empty.
SONDE_INLINE std::vector<std::pair<char const*, std::string>> csv_scope_fields(scope_record const& r) {
    auto const some = [&r](seconds t) { return r.ranks == 0 ? std::nullopt : std::optional{t}; };
    return {{"parent", csv_text(r.parent)},
            {"name", r.name},
            {"depth", csv_text(r.depth)},
            {"passes", csv_text(r.times.count())},
            {"ranks", csv_text(r.ranks)},
            {"median_seconds", csv_text(median(r))},
            {"p99_seconds", csv_text(percentile(r, 0.99))},
            {"max_seconds", csv_text(some(r.times.max()))},
            {"total_min_seconds", csv_text(some(r.totals.min))},
            {"total_mean_seconds", csv_text(some(r.totals.mean))},
            {"total_max_seconds", csv_text(some(r.totals.max))},
            {"enclosing_seconds", csv_text(r.enclosing)},
            {"share", csv_text(share(r))},
            {"slowest", r.ranks == 0 ? "" : csv_text(r.slowest)},
            {"imbalance", csv_text(imbalance(r))},
            {"bytes", csv_text(r.bytes)},
            {"bytes_per_second", csv_text(bandwidth(r))},
            {"efficiency", csv_text(efficiency(r))}};
}

/// The columns of records with parameters of these names.
SONDE_INLINE std::vector<std::string> csv_titles(std::vector<std::string> const& names) {
    std::vector<std::string> titles{"name"};
    titles.insert(titles.end(), names.begin(), names.end());
    for (auto const& c : csv_columns) titles.emplace_back(c.title);
    return titles;
}

/// The line of a record, with these texts of its parameters, and with `more` fields at its end.
SONDE_INLINE std::string csv_line(record const& r, std::vector<std::string> const& parameters,
                                  std::vector<std::string> const& more = {}) {
    std::vector<std::string> fields{r.point.name};
    fields.insert(fields.end(), parameters.begin(), parameters.end());
    for (auto const& c : csv_columns) fields.push_back(c.text(r));
    fields.insert(fields.end(), more.begin(), more.end());
    return joined(fields, ",", csv_field);
}

/// The line of an alternative with the parameters of these names; a parameter that it does not have is an empty field.
SONDE_INLINE std::string csv_line(comparison const& found, std::size_t i, criterion required,
                                  std::vector<std::string> const& names) {
    auto const& r = found.records[i];
    std::vector<std::string> parameters(names.size());
    for (auto const& p : r.point.parameters)
        for (std::size_t n = 0; n != names.size(); ++n)
            if (names[n] == p.name) parameters[n] = p.text;
    auto const interval = interval_over_base(found, i, required);
    auto const low = interval ? csv_text(interval->low) : "", high = interval ? csv_text(interval->high) : "";
    return csv_line(r, parameters,
                    {csv_text(speedup(found, i)), low, high, outcome_word(found, i, required), csv_text(required.gain),
                     csv_text(required.confidence)});
}

/// The names of the parameters of all records, in the order given.
SONDE_INLINE std::vector<std::string> parameter_names(std::vector<record> const& records) {
    std::vector<std::string> names;
    for (auto const& r : records)
        for (auto const& p : r.point.parameters) {
            auto known = false;
            for (auto const& name : names) known |= name == p.name;
            if (!known) names.push_back(p.name);
        }
    return names;
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE output_file& csv::table_of(std::vector<std::string> titles) {
    if (tables_.empty()) detail::refuse_moved_from();
    for (auto& t : tables_)
        if (t.titles == titles) return t.out;
    if (!tables_.front().titles.empty()) {
        auto const path = tables_.front().out.numbered_path(tables_.size() + 1);
        if (path.empty()) tables_.front().out.line("");
        else tables_.push_back({{}, output_file{path}});
    }
    auto& [columns, out] = tables_.back();
    out.line(detail::joined(titles, ",", detail::csv_field));
    columns = std::move(titles);
    return out;
}

SONDE_INLINE void csv::operator()(std::vector<scope_record> const& found) {
    for (std::size_t i = 0; i != found.size(); ++i) {
        std::vector<std::string> titles{"list", "index"}, texts{std::to_string(lists_), std::to_string(i)};
        for (auto& [title, text] : detail::csv_scope_fields(found[i])) {
            titles.emplace_back(title);
            texts.push_back(std::move(text));
        }
        table_of(std::move(titles)).line(detail::joined(texts, ",", detail::csv_field));
    }
    ++lists_;
}

SONDE_INLINE void csv::operator()(comparison const& found, criterion required) {
    auto const names = detail::parameter_names(found.records);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i != found.records.size(); ++i)
        lines.push_back(detail::csv_line(found, i, required, names));
    auto titles = detail::csv_titles(names);
    for (auto const* const title : {"speedup", "speedup_low", "speedup_high", "outcome", "gain", "confidence"})
        titles.emplace_back(title);
    auto& out = table_of(std::move(titles));
    for (auto& line : lines) out.line(std::move(line));
}

SONDE_INLINE void csv::operator()(record const& r) {
    std::vector<std::string> names, texts;
    for (auto const& p : r.point.parameters) {
        names.push_back(p.name);
        texts.push_back(p.text);
    }
    if (!tables_.empty() && names_ && *names_ != names)
        throw std::invalid_argument{"sonde::csv: '" + r.point.name + "' has the parameters (" +
                                    detail::joined(names, ", ") + "), but the header of the file has (" +
                                    detail::joined(*names_, ", ") + "); write it to a file of its own"};
    table_of(detail::csv_titles(names)).line(detail::csv_line(r, texts));
    names_ = std::move(names);
}

} // namespace sonde

#endif
