// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/figure.hpp>
#include <sonde/report/gnuplot.hpp>
#include <sonde/report/text.hpp>
#include <sonde/report/tics.hpp>

#include <cmath>
#include <string>

namespace sonde::detail {

/// Whether a number has a place on an axis: nothing below, or at, zero has one on a logarithmic axis.
inline bool has_place(double value, axis_scale on) {
    return std::isfinite(value) && (value > 0 || on == axis_scale::linear);
}

/// With a margin, and room on both sides of a single value.
inline extent with_room(extent seen, axis_scale on) {
    if (on == axis_scale::linear) {
        auto const alone = seen.low == 0 ? 1 : std::fabs(seen.low) / 2;
        auto const room = seen.low < seen.high ? (seen.high - seen.low) / 20 : alone;
        return {seen.low - room, seen.high + room};
    }
    auto const room = seen.high < 1.5 * seen.low ? 1.5 : on == axis_scale::binary ? 1.25 : 1.15;
    return {seen.low / room, seen.high * room};
}

/// What is said of both scales that are logarithmic.
inline std::string logarithmic_axis(std::string const& which, axis_scale scale, extent shown) {
    if (scale == axis_scale::decades)
        return "set logscale " + which + "\nset " + which + "tics " + decade_tics(shown).text() + '\n';
    auto const tics = "set " + which + "tics ";
    return "set logscale " + which + " 2\n" + tics + binary_tics(shown, 10).text() + "\nif (GPVAL_TERM eq 'dumb') " +
           tics + binary_tics(shown, 6).text() + '\n';
}

/// The commands for axis `which`, "x" or "y", that shows what was seen.
inline std::string axis_commands(std::string const& which, axis const& as, extent seen, std::string const& note) {
    auto const shown = with_room(seen, as.scale);
    auto const commands = "set " + which + "label " + gnuplot_quoted(as.label + note) + "\nset " + which + "range [" +
                          shortest(shown.low) + ':' + shortest(shown.high) + "]\n";
    return as.scale == axis_scale::linear ? commands : commands + logarithmic_axis(which, as.scale, shown);
}

/// What is around the curves: the legend below them, and a grid, for which characters have no
/// room. One margin on the left, so that axes stand above one another.
inline std::string surroundings(std::string const& grid) {
    return "set key below center horizontal Left reverse samplen 4 height 0.5\nset tics nomirror\n"
           "if (GPVAL_TERM ne 'dumb') {\nset lmargin 11\nset xlabel offset 0,0.5\nset grid " +
           grid + " linetype 1 linecolor '#cccccc', linetype 1 linecolor '#eeeeee'\n}\n";
}

} // namespace sonde::detail
