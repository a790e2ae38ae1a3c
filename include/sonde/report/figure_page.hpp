// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/figure.hpp>
#include <sonde/report/figure_axis.hpp>
#include <sonde/report/figure_points.hpp>
#include <sonde/report/gnuplot.hpp>
#include <sonde/report/gnuplot_lines.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

namespace sonde {

namespace detail {

/// How the n-th curve is told from the others: by its colour (of Okabe and Ito), which comes again from the eighth on,
/// and also without colour by mark and dashes together, of which ten differ.
struct pen {
    std::size_t n;

    std::string colour() const {
        constexpr char const* all[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"};
        return std::string{" linecolor '"} + all[n % std::size(all)] + '\'';
    }
    std::string mark() const {
        constexpr int all[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};
        return " pointsize 0.7 pointtype " + std::to_string(all[n % std::size(all)]);
    }
    std::string line() const { return colour() + " dashtype " + std::to_string(1 + n % 5); }
};

inline std::string block_name(std::size_t n) { return "$curve_" + std::to_string(n); }

/// The interval of a curve; of a single point, which spans no area, as a bar.
inline std::string band_of(curve const& c, std::size_t n, std::size_t points) {
    if (c.low.empty() || points == 0) return {};
    auto const* const area = " using 1:3:4 with filledcurves fillstyle transparent solid 0.2 noborder";
    return block_name(n) + (points == 1 ? " with yerrorbars pointtype 0" : area) + pen{n}.colour() + " notitle, ";
}

inline std::string line_of(curve const& c, std::size_t n, std::size_t letters) {
    auto const with = c.measured ? " with linespoints" + pen{n}.mark() : std::string{" with lines"};
    return block_name(n) + " using 1:2" + with + pen{n}.line() + " title " + gnuplot_lines(c.name, letters);
}

/// The lines of an entry of the legend, at most.
inline std::size_t legend_lines(figure const& what, std::size_t letters) {
    std::size_t lines = 1;
    for (auto const& c : what.curves) lines = std::max(lines, wrapped(c.name, letters).size());
    return lines;
}

/// To gnuplot a name of several lines is as high as one: all get the height of the highest.
inline std::string key_spacing(std::size_t lines) {
    return lines == 1 ? "" : "set key spacing " + std::to_string(lines) + '\n';
}

/// Bands below all lines; characters have no room for them.
inline std::string plot_of(figure const& what, figure_points const& points, std::size_t letters) {
    std::string bands, lines;
    for (std::size_t n = 0; n != what.curves.size(); ++n) {
        auto const& c = what.curves[n];
        auto const count = points.count(c);
        if (count == 0) continue;
        bands += band_of(c, n, count);
        lines += (lines.empty() ? "" : ", ") + line_of(c, n, letters);
    }
    return "if (GPVAL_TERM eq 'dumb') {\nplot " + lines + "\n} else {\nplot " + bands + lines + "\n}\n";
}

inline std::string blocks_of(figure const& what, figure_points const& points) {
    std::string blocks;
    for (std::size_t n = 0; n != what.curves.size(); ++n)
        blocks += block_name(n) + " << end_of_points\n" + points.lines(what.curves[n]) + "end_of_points\n";
    return blocks;
}

/// Characters cannot stand upright along an axis: on a terminal the title names the values.
inline std::string frame_of(figure const& what, figure_points const& points) {
    auto const* const note = points.without_zero() ? ", without 0" : "";
    return "set title " + gnuplot_lines(what.title, 85) + "\nif (GPVAL_TERM eq 'dumb') set title " +
           gnuplot_quoted(what.up.label + "  " + what.title) + '\n' +
           axis_commands("x", what.across, points.x(), note) + axis_commands("y", what.up, points.y(), "") +
           surroundings("xtics ytics mxtics mytics");
}

} // namespace detail

/// A page, for `draw`, that shows the curves of a figure over common axes, the legend below them.
///
/// Intervals are translucent bands (not on a terminal). Curves are told apart by the colour-blind and in print: by
/// colours of Okabe and Ito, marks and dashes. A point that has no place, as size 0 on a logarithmic axis or what is
/// no number, is left out; the label of the axis says so of size 0. Throws std::invalid_argument where no point is
/// left, or a curve has not as many of one thing as of the other. Names in the legend have lines of so many letters.
[[nodiscard]] inline std::string figure_page(figure const& what, std::size_t letters = 60) {
    detail::figure_points const points{what};
    return "reset\n" + detail::blocks_of(what, points) + detail::frame_of(what, points) +
           detail::key_spacing(detail::legend_lines(what, letters)) + detail::plot_of(what, points, letters);
}

} // namespace sonde
