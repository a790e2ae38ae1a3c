// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/drawing/gnuplot.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sonde::inline v0_1 {

/// A curve of a figure: a measured series, with confidence intervals as a band, or the line of a model.
struct curve {
    std::string name;                          // in the legend
    std::vector<double> x{};                   // one for each point
    std::vector<std::optional<double>> y{};    // empty: a gap
    std::vector<std::optional<double>> low{};  // as many as y, or none: no band
    std::vector<std::optional<double>> high{}; // as many as `low`
    bool measured = true;                      // draw marks at the points
};

/// The scale of an axis: linear, logarithmic with tics at powers of ten, or logarithmic with tics at powers of two,
/// which are labeled as bytes, KiB, MiB.
enum class axis_scale : unsigned char { linear, log10, log2 };

/// An axis of a figure.
struct axis {
    std::string label;                    // with its unit
    axis_scale scale = axis_scale::log10; // of its numbers
};

/// Curves over common axes, to be drawn by `figure_page`.
struct figure {
    std::string title;                                     // above the figure
    axis x_axis{"message size (bytes)", axis_scale::log2}; // horizontal
    axis y_axis{};                                         // vertical
    std::vector<curve> curves{};                           // drawn in this order
};

namespace detail {

/// The range of the values that were added; empty before.
struct value_range {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool empty() const { return low > high; }
    bool contains(double value) const { return low <= value && value <= high; }
};

/// A number as a label, with an exponent only if the label would be long without it.
std::string plain_number(double value);

/// A number of bytes as a label: 512, 1 KiB, 32 KiB, 1 MiB.
std::string binary_label(double bytes);

/// m 10^k, rounded like a decimal literal: 3 10^-1 is 0.3, not 0.30000000000000004. The number is parsed from text,
/// because with -ffast-math compilers multiply by a rounded 10^k. A number above the largest double becomes the largest
/// double, and a number below the smallest double becomes 0.
double decimal(long long m, int k);

/// The tics of an axis as a list of gnuplot.
class tic_list {
public:
    void label(double at, std::string const& text) { tics_.push_back(gnuplot_quoted(text) + ' ' + shortest(at)); }
    void minor_tic(double at) { tics_.push_back("'' " + shortest(at) + " 1"); }
    std::string text() const { return '(' + joined(tics_, ", ") + ')'; }

private:
    std::vector<std::string> tics_;
};

/// Powers of two, at most `max` of them with labels. For up to twice as many powers the labels are 1, 4, 16, ...
tic_list binary_tics(value_range shown, int max);

/// Powers of ten with labels, in a short range also 2 and 5 times each power. The other multiples have no labels.
tic_list decade_tics(value_range shown);

/// True if an axis can show the number: it is finite and, on a logarithmic axis, positive.
bool drawable(double value, axis_scale on);

/// The range with a margin, and with space on both sides of a single value.
value_range with_margin(value_range seen, axis_scale on);

/// The commands for axis `which`, "x" or "y", over the values `seen`. A terminal of characters has space for fewer
/// labels.
std::string axis_commands(std::string const& which, axis const& as, value_range seen, std::string const& note = {});

/// Commands for the legend below the axes and, except on a terminal, a grid and a left margin of fixed width, so that
/// figures below one another are aligned.
std::string legend_and_grid(std::string const& grid);

/// Color, mark and dashes of the n-th curve. The seven colors (Okabe and Ito) repeat; the combination of mark and
/// dashes, which also prints in gray, repeats after ten curves.
struct curve_style {
    std::size_t n;

    std::string color() const {
        constexpr char const* all[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"};
        return std::string{" linecolor '"} + all[n % std::size(all)] + '\'';
    }
    std::string marker() const {
        constexpr int all[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};
        return " pointsize 0.7 pointtype " + std::to_string(all[n % std::size(all)]);
    }
    std::string line() const { return color() + " dashtype " + std::to_string(1 + n % 5); }
};

/// The number of lines of the longest entry of the legend.
std::size_t legend_lines(figure const& f, std::size_t legend_width);

/// The curves of a figure: datablocks, the commands that plot them, and the ranges of the points.
struct figure_script {
    std::string datablocks{}, bands{}, curves{};
    value_range x{}, y{};
    bool without_zero = false; // a point at x = 0 is not drawable

    /// Add the n-th curve. Its intervals are drawn as a band. The interval of a single point, which spans no area, is
    /// an error bar.
    void add(figure const& f, std::size_t n, std::size_t legend_width);

private:
    /// Add a line of x, y, low and high for each point. A point that is not drawable becomes an empty line, which
    /// interrupts the curve. Returns the number of drawable points.
    std::size_t add_points(figure const& f, curve const& c);
};

} // namespace detail

/// A page for `draw` that shows the curves of a figure over common axes, with the legend below them.
///
/// Confidence intervals are translucent bands (not on a terminal). Curves differ in color (a palette for the
/// color-blind, by Okabe and Ito), marks and dashes. Points without a value, and those that an axis cannot show (size 0
/// on a logarithmic axis), are left out; the label of the axis mentions a missing size 0. Names in the legend are
/// wrapped after `legend_width` characters. Throws std::invalid_argument if no point is left or the vectors of a curve
/// have different sizes.
[[nodiscard]] std::string figure_page(figure const& f, std::size_t legend_width = 60);

} // namespace sonde
