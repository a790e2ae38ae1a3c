// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/figure.hpp>
#include <sonde/report/figure_axis.hpp>
#include <sonde/report/gnuplot.hpp>
#include <sonde/report/text.hpp>
#include <sonde/report/tics.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace sonde {

namespace detail {

/// What is a number of some values, ascending. Throws std::invalid_argument where there is none.
inline std::vector<double> numbers_of(std::vector<double> values) {
    std::erase_if(values, [](double v) { return !std::isfinite(v); });
    if (values.empty()) throw std::invalid_argument{"sonde::samples_page: there is no value to draw"};
    std::sort(values.begin(), values.end());
    return values;
}

/// Four digits, as a legend needs them, without an exponent where that is no longer.
inline std::string legible(double value) {
    auto const magnitude = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::fabs(value))));
    if (magnitude < -4 || magnitude > 8) return scientific(value, 3);
    return fixed(value, magnitude < 3 ? 3 - magnitude : 0);
}

inline std::string datablock(std::vector<double> const& values) {
    std::string block = "$samples << end_of_samples\n";
    for (auto const v : values) block += shortest(v) + '\n';
    return block + "end_of_samples\n";
}

inline axis_scale scale_of(std::vector<double> const& ascending) {
    auto const outliers = ascending.front() > 0 && ascending.back() > 5 * middle_of(ascending);
    return outliers ? axis_scale::decades : axis_scale::linear;
}

inline std::string axes(std::string const& title, std::string const& x_label, axis const& up, extent seen) {
    return "set title " + gnuplot_quoted(title) + "\nset xlabel " + gnuplot_quoted(x_label) + '\n' +
           axis_commands("y", up, seen, "") + "set key above right horizontal samplen 2\n" +
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
[[nodiscard]] inline std::string samples_page(std::string const& title, std::string const& x_label,
                                              std::string const& y_label, std::vector<double> const& values) {
    auto const seen = detail::numbers_of(values);
    axis const up{y_label, detail::scale_of(seen)};
    return "reset\n" + detail::datablock(values) + detail::axes(title, x_label, up, {seen.front(), seen.back()}) +
           detail::curves(y_label, values.size(), detail::middle_of(seen));
}

} // namespace sonde
