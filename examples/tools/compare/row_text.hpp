// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/text.hpp"

#include <sonde/clock.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/stat/order_statistics.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tools {

/// Unit of time, and the decimals that give one value four digits.
struct time_scale {
    char const* unit = "s";
    double per_second = 1;
    int decimals = 3;

    explicit time_scale(sonde::seconds value);

    std::string number(sonde::seconds t) const;
    std::string number_and_unit(sonde::seconds t) const { return number(t) + ' ' + unit; }
};

/// "[20.00, 30.00]" with `number` of both ends; "-" without an interval.
template <class Interval, class Number>
std::string interval_text(std::optional<Interval> const& interval, Number number) {
    return interval ? '[' + number(interval->low) + ", " + number(interval->high) + ']' : "-";
}

/// p value with four decimals; "-" if it is empty.
std::string probability(std::optional<double> p);

/// Name and parameters of a row, and "again" for a later occurrence in a launch.
using settings = std::vector<std::pair<std::string, std::string>>;

settings settings_of(sonde::point const& at, std::size_t occurrence);

/// Value of a setting; "-" if the row does not have it.
std::string value_in(settings const& row, std::string const& name);

/// Names of settings: those with one value in all rows, and the others.
struct setting_names {
    cells common, varying;

    explicit setting_names(std::vector<settings> const& rows);

    /// Values of the varying settings of a row.
    cells values_in(settings const& row) const;
    /// "# osu_latency datatype=MPI_CHAR", the common settings; empty if there are none.
    std::string common_line(settings const& row) const;
};

} // namespace tools
