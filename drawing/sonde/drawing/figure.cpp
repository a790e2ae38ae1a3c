// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/figure.hpp>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace sonde::inline v0_1::detail {

std::string plain_number(double value) {
    auto const size = std::fabs(value);
    return value != 0 && (size < 1e-4 || size >= 1e7) ? shortest(value) : number_text(value, std::chars_format::fixed);
}

std::string binary_label(double bytes) {
    constexpr char const* units[] = {"", " KiB", " MiB", " GiB", " TiB"};
    auto const* unit = units;
    for (; bytes >= 1024 && unit != units + 4; ++unit) bytes /= 1024;
    return plain_number(bytes) + *unit;
}

double decimal(long long m, int k) {
    auto const text = std::to_string(m) + 'e' + std::to_string(k); // no decimal point, which is the locale's
    auto const number = std::strtod(text.c_str(), nullptr);
    return is_finite(number) ? number : std::numeric_limits<double>::max();
}

tic_list binary_tics(value_range shown, int max) {
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
tic_list even_tics(value_range shown) {
    auto const wanted = (shown.high - shown.low) / 5;
    auto const k = static_cast<int>(std::floor(std::log10(wanted)));
    int const m = wanted <= decimal(1, k) ? 1 : wanted <= decimal(2, k) ? 2 : wanted <= decimal(5, k) ? 5 : 10;
    tic_list tics;
    // Starts one multiple below the first tic, because a rounded quotient may be above its whole number.
    for (auto n = static_cast<long long>(shown.low / decimal(m, k)); decimal(n * m, k) <= shown.high; ++n)
        if (auto const at = decimal(n * m, k); at >= shown.low) tics.label(at, fixed(at, std::max(0, -k)));
    return tics;
}

tic_list decade_tics(value_range shown) {
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

bool drawable(double value, axis_scale on) { return is_finite(value) && (value > 0 || on == axis_scale::linear); }

value_range with_margin(value_range seen, axis_scale on) {
    if (on == axis_scale::linear) {
        auto const size = std::max(std::fabs(seen.low), std::fabs(seen.high));
        auto const apart = seen.high - seen.low > 1e-12 * size; // by more than a rounding error
        auto const margin = apart ? (seen.high - seen.low) / 20 : size == 0 ? 1 : size / 2;
        return {seen.low - margin, seen.high + margin};
    }
    auto const margin = seen.high < 1.5 * seen.low ? 1.5 : on == axis_scale::log2 ? 1.25 : 1.15;
    return {seen.low / margin, seen.high * margin};
}

std::string axis_commands(std::string const& which, axis const& as, value_range seen, std::string const& note) {
    auto const shown = with_margin(seen, as.scale);
    auto commands = "set " + which + "label " + gnuplot_quoted(as.label + note) + "\nset " + which + "range [" +
                    shortest(shown.low) + ':' + shortest(shown.high) + "]\n";
    auto const logscale = "set logscale " + which, tics = "set " + which + "tics ";
    if (as.scale == axis_scale::linear) return commands;
    if (as.scale == axis_scale::log10) return commands + logscale + '\n' + tics + decade_tics(shown).text() + '\n';
    return commands + logscale + " 2\n" + tics + binary_tics(shown, 10).text() + "\nif (GPVAL_TERM eq 'dumb') " + tics +
           binary_tics(shown, 6).text() + '\n';
}

std::string legend_and_grid(std::string const& grid) {
    return "set key below center horizontal Left reverse samplen 4 height 0.5\nset tics nomirror\n"
           "if (GPVAL_TERM ne 'dumb') {\nset lmargin 11\nset xlabel offset 0,0.5\nset grid " +
           grid + " linetype 1 linecolor '#cccccc', linetype 1 linecolor '#eeeeee'\n}\n";
}

std::size_t legend_lines(figure const& f, std::size_t legend_width) {
    std::size_t lines = 1;
    for (auto const& c : f.curves) lines = std::max(lines, wrapped(c.name, legend_width).size());
    return lines;
}

void figure_script::add(figure const& f, std::size_t n, std::size_t legend_width) {
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

std::size_t figure_script::add_points(figure const& f, curve const& c) {
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

std::string figure_page(figure const& f, std::size_t legend_width) {
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
