// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/report/gnuplot.hpp>
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

#if SONDE_DEFINITIONS
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::string plain_number(double value) {
    auto const size = std::fabs(value);
    return value != 0 && (size < 1e-4 || size >= 1e7) ? shortest(value) : number_text(value, std::chars_format::fixed);
}

SONDE_INLINE std::string binary_label(double bytes) {
    constexpr char const* units[] = {"", " KiB", " MiB", " GiB", " TiB"};
    auto const* unit = units;
    for (; bytes >= 1024 && unit != units + 4; ++unit) bytes /= 1024;
    return plain_number(bytes) + *unit;
}

SONDE_INLINE double decimal(long long m, int k) {
    auto const text = std::to_string(m) + 'e' + std::to_string(k); // no decimal point, which is the locale's
    auto const number = std::strtod(text.c_str(), nullptr);
    return is_finite(number) ? number : std::numeric_limits<double>::max();
}

SONDE_INLINE tic_list binary_tics(value_range shown, int max) {
    auto const first = static_cast<int>(std::ceil(std::log2(shown.low)));
    auto const last = static_cast<int>(std::floor(std::log2(shown.high)));
    auto const step = std::max(1, (last - first) / max + 1);
    tic_list tics;
    for (int k = first; k <= last; ++k)
        if (k % step == 0) tics.label(std::exp2(k), binary_label(std::exp2(k)));
        else tics.minor_tic(std::exp2(k));
    return tics;
}

/// About five multiples of 1, 2 or 5 times a power of ten, for a range that may not contain a power of ten.
SONDE_INLINE tic_list even_tics(value_range shown) {
    auto const wanted = (shown.high - shown.low) / 5;
    auto const k = static_cast<int>(std::floor(std::log10(wanted)));
    int const m = wanted <= decimal(1, k) ? 1 : wanted <= decimal(2, k) ? 2 : wanted <= decimal(5, k) ? 5 : 10;
    tic_list tics;
    // Starts one multiple below the first tic, because a rounded quotient may be above its whole number.
    for (auto n = static_cast<long long>(shown.low / decimal(m, k)); decimal(n * m, k) <= shown.high; ++n)
        if (auto const at = decimal(n * m, k); at >= shown.low) tics.label(at, fixed(at, std::max(0, -k)));
    return tics;
}

SONDE_INLINE tic_list decade_tics(value_range shown) {
    if (shown.high < 4 * shown.low) return even_tics(shown);
    auto const few = shown.high < 500 * shown.low;
    tic_list tics;
    for (int k = static_cast<int>(std::floor(std::log10(shown.low))); decimal(1, k) <= shown.high; ++k)
        for (int m = 1; m != 10; ++m) {
            auto const at = decimal(m, k);
            if (!shown.contains(at)) continue;
            if (m == 1 || (few && (m == 2 || m == 5))) tics.label(at, plain_number(at));
            else tics.minor_tic(at);
        }
    return tics;
}

SONDE_INLINE bool drawable(double value, axis_scale on) {
    return is_finite(value) && (value > 0 || on == axis_scale::linear);
}

SONDE_INLINE value_range with_margin(value_range seen, axis_scale on) {
    if (on == axis_scale::linear) {
        auto const size = std::max(std::fabs(seen.low), std::fabs(seen.high));
        auto const apart = seen.high - seen.low > 1e-12 * size; // by more than a rounding error
        auto const margin = apart ? (seen.high - seen.low) / 20 : size == 0 ? 1 : size / 2;
        return {seen.low - margin, seen.high + margin};
    }
    auto const margin = seen.high < 1.5 * seen.low ? 1.5 : on == axis_scale::log2 ? 1.25 : 1.15;
    return {seen.low / margin, seen.high * margin};
}

SONDE_INLINE std::string axis_commands(std::string const& which, axis const& as, value_range seen,
                                       std::string const& note) {
    auto const shown = with_margin(seen, as.scale);
    auto commands = "set " + which + "label " + gnuplot_quoted(as.label + note) + "\nset " + which + "range [" +
                    shortest(shown.low) + ':' + shortest(shown.high) + "]\n";
    auto const logscale = "set logscale " + which, tics = "set " + which + "tics ";
    if (as.scale == axis_scale::linear) return commands;
    if (as.scale == axis_scale::log10) return commands + logscale + '\n' + tics + decade_tics(shown).text() + '\n';
    return commands + logscale + " 2\n" + tics + binary_tics(shown, 10).text() + "\nif (GPVAL_TERM eq 'dumb') " + tics +
           binary_tics(shown, 6).text() + '\n';
}

SONDE_INLINE std::string legend_and_grid(std::string const& grid) {
    return "set key below center horizontal Left reverse samplen 4 height 0.5\nset tics nomirror\n"
           "if (GPVAL_TERM ne 'dumb') {\nset lmargin 11\nset xlabel offset 0,0.5\nset grid " +
           grid + " linetype 1 linecolor '#cccccc', linetype 1 linecolor '#eeeeee'\n}\n";
}

SONDE_INLINE std::size_t legend_lines(figure const& f, std::size_t legend_width) {
    std::size_t lines = 1;
    for (auto const& c : f.curves) lines = std::max(lines, wrapped(c.name, legend_width).size());
    return lines;
}

SONDE_INLINE void figure_script::add(figure const& f, std::size_t n, std::size_t legend_width) {
    auto const& c = f.curves[n];
    auto const name = "$curve_" + std::to_string(n);
    auto const* const area = " using 1:3:4 with filledcurves fillstyle transparent solid 0.2 noborder";
    curve_style const style{n};
    datablocks += name + " << end_of_points\n";
    auto const count = add_points(f, c);
    datablocks += "end_of_points\n";
    if (count == 0) return;
    if (!c.low.empty())
        bands += name + (count == 1 ? " with yerrorbars pointtype 0" : area) + style.color() + " notitle, ";
    curves += (curves.empty() ? "" : ", ") + name + " using 1:2 with lines" +
              (c.measured ? "points" + style.marker() : "") + style.line() + " title " +
              gnuplot_lines(c.name, legend_width);
}

SONDE_INLINE std::size_t figure_script::add_points(figure const& f, curve const& c) {
    auto const drawable_y = [&f](double value) { return drawable(value, f.y_axis.scale); };
    std::size_t count = 0;
    for (std::size_t i = 0; i != c.y.size(); ++i, datablocks += '\n') {
        auto const at = c.x[i];
        if (!c.y[i] || !drawable_y(*c.y[i])) continue;
        auto const value = *c.y[i];
        if (!drawable(at, f.x_axis.scale)) {
            without_zero |= is_finite(at) && at == 0;
            continue;
        }
        auto const end_of = [&](auto const& ends) {
            return ends.empty() || !ends[i] || !drawable_y(*ends[i]) ? value : *ends[i];
        };
        auto const low = end_of(c.low), high = end_of(c.high);
        for (auto const number : {at, value, low, high}) datablocks += shortest(number) + ' ';
        for (auto const number : {value, low, high}) y.add(number);
        x.add(at);
        ++count;
    }
    return count;
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE std::string figure_page(figure const& f, std::size_t legend_width) {
    detail::figure_script script;
    for (std::size_t i = 0; i != f.curves.size(); ++i) {
        auto const& c = f.curves[i];
        auto const n = c.y.size();
        if (c.x.size() != n || c.low.size() != c.high.size() || (!c.low.empty() && c.low.size() != n))
            throw std::invalid_argument{"sonde::figure_page: x, y, low and high of '" + c.name +
                                        "' have different sizes"};
        script.add(f, i, legend_width);
    }
    if (script.x.empty()) throw std::invalid_argument{"sonde::figure_page: '" + f.title + "' has no point to draw"};
    auto const lines = detail::legend_lines(f, legend_width); // gnuplot reserves one line for each entry
    return "reset\n" + script.datablocks + "set title " + detail::gnuplot_lines(f.title, 85) +
           "\nif (GPVAL_TERM eq 'dumb') set title " + // a terminal of characters has no vertical text
           gnuplot_quoted(f.y_axis.label + "  " + f.title) + '\n' +
           detail::axis_commands("x", f.x_axis, script.x, script.without_zero ? ", without 0" : "") +
           detail::axis_commands("y", f.y_axis, script.y) + detail::legend_and_grid("xtics ytics mxtics mytics") +
           (lines == 1 ? "" : "set key spacing " + std::to_string(lines) + '\n') +
           "if (GPVAL_TERM eq 'dumb') {\nplot " + script.curves + "\n} else {\nplot " + script.bands + script.curves +
           "\n}\n";
}

} // namespace sonde

#endif
