// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report/text.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

namespace detail {

/// The name of an alternative; without a name "alternative 2", by its number from 0, the base.
std::string alternative_name(comparison const& found, std::size_t i);

/// The name and the parameters of an alternative as one text: "blocking (bytes 8)".
std::string alternative_text(comparison const& found, std::size_t i);
std::string alternative_text(std::string const& name, std::vector<parameter> const& parameters);

/// A part of 1 in percent, with a decimal if it is not whole: "95 %", "99.9 %".
std::string percent_text(double part);

/// "95 % interval".
std::string interval_title(criterion required);

} // namespace detail

/// The alternatives of a comparison as rows of an aligned table: name, parameters, median time of the slowest rank in
/// microseconds, speed-up over the base with its confidence interval, and outcome by the criterion. An alternative
/// without a name has its number, from 0, the base. Below the rows are the flags of the records, if there are any:
/// "flags of blocking: timer_limited", or "flags: oversubscribed" if all have the same. Throws what `speedup` throws.
class comparison_table {
public:
    explicit comparison_table(output_file out) : out_{std::move(out)} {}

    void operator()(comparison const& found, criterion required = {});

private:
    output_file out_;
};

} // namespace sonde

#if SONDE_DEFINITIONS

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::string alternative_name(comparison const& found, std::size_t i) {
    auto const& name = found.records.at(i).point.name;
    return name.empty() ? "alternative " + std::to_string(i) : plain_text(name);
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

SONDE_INLINE std::string interval_title(criterion required) { return percent_text(required.confidence) + " interval"; }

SONDE_INLINE std::vector<std::string> row_of_alternative(comparison const& found, std::size_t i, criterion required) {
    auto const interval = interval_over_base(found, i, required);
    return {alternative_text(found, i), cell_text(median(found.records[i]), 3), fixed(speedup(found, i), 3),
            interval ? fixed(interval->low, 3) + ".." + fixed(interval->high, 3) : "-",
            i == 0 ? "(base)" : outcome_text(found, i, required)};
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

SONDE_INLINE void comparison_table::operator()(comparison const& found, criterion required) {
    std::vector<std::vector<std::string>> rows{
        {"alternative", "median us", "speed-up", detail::interval_title(required), "outcome"}};
    for (std::size_t i = 0; i != found.records.size(); ++i)
        rows.push_back(detail::row_of_alternative(found, i, required));
    std::vector<std::string> lines(rows.size());
    for (std::size_t c = 0; c != rows.front().size(); ++c)
        detail::append_column(lines, rows, c, c == 0 || c + 1 == rows.front().size());
    for (auto& line : lines) {
        line.erase(line.find_last_not_of(' ') + 1);
        out_.line(std::move(line));
    }
    for (auto& line : detail::flag_lines(found)) out_.line(std::move(line));
}

} // namespace sonde

#endif
