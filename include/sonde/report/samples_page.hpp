// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/gnuplot.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace sonde {

namespace detail {

struct range {
    double low, middle, high;
};

/// Of the values that are numbers. Throws std::invalid_argument where there is none.
inline range range_of(std::vector<double> values) {
    std::erase_if(values, [](double v) { return !std::isfinite(v); });
    if (values.empty()) throw std::invalid_argument{"sonde::samples_page: there is no value to draw"};
    std::sort(values.begin(), values.end());
    auto const half = values.size() / 2;
    auto const middle = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    return {values.front(), middle, values.back()};
}

/// Four digits, as a legend needs them, without an exponent where that is no longer.
inline std::string legible(double value) {
    auto const magnitude = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::fabs(value))));
    if (magnitude < -4 || magnitude > 8) return scientific(value, 3);
    return fixed(value, magnitude < 3 ? 3 - magnitude : 0);
}

/// A logarithmic axis, labelled at 1, 2 and 5 of every decade.
inline std::string logarithmic(range seen) {
    std::string tics;
    for (double decade = std::pow(10, std::floor(std::log10(seen.low))); decade <= seen.high; decade *= 10)
        for (auto const step : {1, 2, 5}) tics += (tics.empty() ? "" : ", ") + shortest(step * decade);
    return "set autoscale y noextend\nset logscale y\nset ytics (" + tics + ")\n";
}

inline std::string datablock(std::vector<double> const& values) {
    std::string block = "$samples << end_of_samples\n";
    for (auto const v : values) block += shortest(v) + '\n';
    return block + "end_of_samples\n";
}

/// Room around values that are all the same, of which gnuplot would complain.
inline std::string room_around(double value) {
    auto const room = value == 0 ? 1 : std::fabs(value) / 2;
    return "set yrange [" + shortest(value - room) + ':' + shortest(value + room) + "]\n";
}

inline std::string axis_of_values(range seen) {
    if (seen.low == seen.high) return room_around(seen.low);
    return seen.low > 0 && seen.high > 5 * seen.middle ? logarithmic(seen) : "set autoscale y noextend\n";
}

inline std::string axes(std::string const& title, std::string const& x_label, std::string const& y_label, range seen) {
    return "set title " + gnuplot_quoted(title) + "\nset xlabel " + gnuplot_quoted(x_label) + "\nset ylabel " +
           gnuplot_quoted(y_label) + "\nset key above right horizontal samplen 2\n" + axis_of_values(seen) +
           "set offsets graph 0, graph 0, graph 0.05, graph 0.05\n" +
           "if (GPVAL_TERM ne 'dumb') set grid ytics linetype 1 linecolor '#dddddd'\n";
}

/// The legend names the values once more, since characters cannot stand upright along an axis.
inline std::string curves(std::string const& y_label, std::size_t count, double middle) {
    return "dot = GPVAL_TERM eq 'dumb' ? 0 : 7\nplot [0:" + std::to_string(count) +
           "] $samples using 0:1 with points pointtype dot pointsize 0.5 linecolor '#0072B2' title " +
           gnuplot_quoted(y_label) + ", " + shortest(middle) + " with lines linecolor '#D55E00' title " +
           gnuplot_quoted("median " + legible(middle)) + '\n';
}

} // namespace detail

/// A page, for `draw`, that shows every sample in the order they were taken, and their median as a line.
///
/// The axis of values is logarithmic where a linear one would press all but the outliers into one line. Colours are
/// told apart by the colour-blind (Okabe and Ito). Throws std::invalid_argument where no value is a number.
inline std::string samples_page(std::string const& title, std::string const& x_label, std::string const& y_label,
                                std::vector<double> const& values) {
    auto const seen = detail::range_of(values);
    return "reset\n" + detail::datablock(values) + detail::axes(title, x_label, y_label, seen) +
           detail::curves(y_label, values.size(), seen.middle);
}

} // namespace sonde
