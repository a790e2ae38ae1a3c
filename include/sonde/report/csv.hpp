// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/report/columns.hpp>
#include <sonde/report/text.hpp>

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

/// Titles and texts of a line.
using csv_row = std::vector<std::pair<std::string, std::string>>;

} // namespace detail

/// Reporter: records as comma-separated values: a header, then a line for each record. A line is written when its
/// record is reported.
///
/// The columns are the name, the parameters, and then those of `detail::fields_of`. Every number reads back as the same
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
    void write(detail::csv_row const& row);

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

SONDE_INLINE void add_fields(csv_row& row, std::vector<column_field> fields) {
    for (auto& field : fields)
        if (field.name != nullptr) row.emplace_back(field.name, std::move(field.exact));
}

/// The line of a record, with the parameters of these names; a parameter that it does not have is an empty field.
SONDE_INLINE csv_row csv_row_of(record const& r, std::vector<std::string> const& names) {
    csv_row row{{"name", r.point.name}};
    for (auto const& name : names) {
        row.emplace_back(name, "");
        for (auto const& p : r.point.parameters)
            if (p.name == name) row.back().second = p.text;
    }
    add_fields(row, fields_of(r));
    return row;
}

/// The line of an alternative.
SONDE_INLINE csv_row csv_row_of(comparison const& found, std::size_t i, criterion required,
                                std::vector<std::string> const& names) {
    auto row = csv_row_of(found.records[i], names);
    row.front().second = alternative_name(found, i);
    auto const interval = interval_over_base(found, i, required);
    row.insert(row.end(), {{"speedup", exact_text(speedup_of_times(found, i))},
                           {"speedup_low", interval ? exact_text(interval->low) : ""},
                           {"speedup_high", interval ? exact_text(interval->high) : ""},
                           {"outcome", outcome_word(found, i, required)},
                           {"gain", exact_text(required.gain)},
                           {"confidence", exact_text(required.confidence)}});
    return row;
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

SONDE_INLINE void csv::write(detail::csv_row const& row) {
    std::vector<std::string> titles;
    for (auto const& [title, text] : row) titles.push_back(title);
    auto const text = [](auto const& field) { return detail::csv_field(field.second); };
    table_of(std::move(titles)).line(detail::joined(row, ",", text));
}

SONDE_INLINE void csv::operator()(std::vector<scope_record> const& found) {
    for (std::size_t i = 0; i != found.size(); ++i) {
        detail::csv_row row{{"list", std::to_string(lists_)}, {"index", std::to_string(i)}};
        detail::add_fields(row, detail::fields_of(found[i]));
        write(row);
    }
    ++lists_;
}

SONDE_INLINE void csv::operator()(comparison const& found, criterion required) {
    auto const names = detail::parameter_names(found.records);
    std::vector<detail::csv_row> rows;
    for (std::size_t i = 0; i != found.records.size(); ++i)
        rows.push_back(detail::csv_row_of(found, i, required, names));
    for (auto const& row : rows) write(row);
}

SONDE_INLINE void csv::operator()(record const& r) {
    auto names = detail::parameter_names({r});
    if (!tables_.empty() && names_ && *names_ != names)
        throw std::invalid_argument{"sonde::csv: '" + r.point.name + "' has the parameters (" +
                                    detail::joined(names, ", ") + "), but the header of the file has (" +
                                    detail::joined(*names_, ", ") + "); write it to a file of its own"};
    write(detail::csv_row_of(r, names));
    names_ = std::move(names);
}

} // namespace sonde

#endif
