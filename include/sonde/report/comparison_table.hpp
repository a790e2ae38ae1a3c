// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/comparison.hpp>
#include <sonde/report/text.hpp>

#include <utility>

namespace sonde {

/// The alternatives of a comparison as rows of an aligned table: name, parameters, median time of the slowest rank in
/// microseconds, speed-up over the base with its confidence interval, and outcome by the criterion. An alternative
/// without a name has its number, from 0, the base.
class comparison_table {
public:
    explicit comparison_table(output_file out, criterion required = {}) : out_{std::move(out)}, required_{required} {}

    void operator()(comparison const& found);

private:
    output_file out_;
    criterion required_;
};

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/measure/record.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sonde::detail {

/// The name and the parameters of an alternative as one text: "blocking (bytes 8)".
SONDE_INLINE std::string name_of_alternative(comparison const& found, std::size_t i) {
    auto const& [name, parameters] = found.records.at(i).point;
    std::string values;
    for (auto const& p : parameters) values += (values.empty() ? "" : ", ") + p.name + ' ' + p.text;
    auto const shown = name.empty() ? "alternative " + std::to_string(i) : name;
    return plain_text(values.empty() ? shown : shown + " (" + values + ')');
}

SONDE_INLINE std::vector<std::string> row_of_alternative(comparison const& found, std::size_t i, criterion required) {
    auto const interval = speedup_interval(found, i, required.confidence);
    return {name_of_alternative(found, i), fixed(1e6 * median(found.records[i]).count(), 3),
            fixed(speedup(found, i), 3),
            interval && i != 0 ? fixed(interval->low, 3) + ".." + fixed(interval->high, 3) : "-",
            i == 0 ? "(base)" : outcome_text(found, i, required)};
}

} // namespace sonde::detail

namespace sonde {

SONDE_INLINE void comparison_table::operator()(comparison const& found) {
    std::vector<std::vector<std::string>> rows{{"alternative", "median us", "speed-up", "", "outcome"}};
    rows.front()[3] = detail::fixed(100 * required_.confidence, 0) + " % interval";
    for (std::size_t i = 0; i != found.records.size(); ++i)
        rows.push_back(detail::row_of_alternative(found, i, required_));
    std::vector<std::string> lines(rows.size());
    for (std::size_t c = 0; c != rows.front().size(); ++c)
        detail::append_column(lines, rows, c, c == 0 || c + 1 == rows.front().size());
    for (auto& line : lines) {
        line.erase(line.find_last_not_of(' ') + 1);
        out_.line(std::move(line));
    }
}

} // namespace sonde

#endif
