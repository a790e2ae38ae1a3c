// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/speedup_page.hpp>

#include <sonde/drawing/figure.hpp>
#include <sonde/drawing/gnuplot.hpp>
#include <sonde/report/table.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace sonde::inline v0_1::detail {

/// True if every record has this parameter.
bool all_have(std::vector<record> const& records, parameter const& p) {
    return std::all_of(records.begin(), records.end(), [&](record const& r) {
        return std::any_of(r.point.parameters.begin(), r.point.parameters.end(),
                           [&](parameter const& own) { return own.name == p.name && own.text == p.text; });
    });
}

/// The lines beside the axis: the name of the alternative, and its parameters that not all alternatives have. A word
/// that is too long for a line is cut, because it would leave no space for the axis.
std::vector<std::string> speedup_label(comparison const& found, std::size_t i) {
    auto parameters = found.records[i].point.parameters;
    std::erase_if(parameters, [&](parameter const& p) { return all_have(found.records, p); });
    constexpr std::size_t width = 28;
    auto lines = wrapped(alternative_text(alternative_name(found, i), parameters), width);
    for (auto& line : lines)
        if (character_count(line) > width + 2) line = std::string{first_characters(line, width)} + "\u2026";
    return lines;
}

std::size_t speedup_page_height(comparison const& found) {
    std::size_t height = 120;
    for (std::size_t i = 1; i < found.records.size(); ++i) height += 12 + 18 * speedup_label(found, i).size();
    return height;
}

/// The points of the alternatives with one outcome.
struct speedup_marks {
    sonde::outcome outcome;
    std::string style;
    std::string points{}; // lines of speed-up, row, low and high

    std::string block() const { return '$' + name() + " << end_of_points\n" + points + "end_of_points\n"; }
    std::string plot() const {
        return '$' + name() + " using 1:2:3:4 with xerrorbars linewidth 1.5 " + style + " title '" + name() + '\'';
    }

private:
    std::string name() const { return to_string(outcome); }
};

/// The commands for the line of the base, and for the area of the gain.
std::string speedup_base(criterion required) {
    std::string commands = "set arrow 1 from 1, graph 0 to 1, graph 1 nohead linecolor '#000000' dashtype 2\n";
    if (required.gain > 0)
        commands += "set object 1 rectangle from first " + shortest(1 / (1 + required.gain)) + ", graph 0 to first " +
                    shortest(1 + required.gain) + ", graph 1 behind fillcolor '#dddddd' fillstyle solid noborder\n";
    return commands;
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

std::string speedup_page(std::string const& title, comparison const& found, criterion required) {
    using namespace detail;
    auto const count = found.records.size();
    if (count < 2) throw std::invalid_argument{"sonde::speedup_page: there is no alternative beside the base"};
    std::vector<speedup_marks> marks{{outcome::faster, "pointtype 9 linecolor '#009E73'"},
                                     {outcome::undecided, "pointtype 6 linecolor '#555555'"},
                                     {outcome::slower, "pointtype 11 linecolor '#D55E00'"}};
    value_range seen{1 / (1 + required.gain), 1 + required.gain};
    std::vector<std::string> labels;
    for (std::size_t i = 1; i != count; ++i) {
        labels.push_back(joined(speedup_label(found, i), ".\"\\n\".", gnuplot_quoted) + ' ' + std::to_string(i));
        auto const value = speedup(found, i);
        if (!(value > 0)) continue; // without times
        auto const interval = speedup_interval(found, i, required.confidence).value_or(speedup_range{value, value});
        for (auto const x : {value, interval.low, interval.high}) seen.add(x);
        for (auto& m : marks)
            if (m.outcome == classify(found, i, required))
                m.points +=
                    joined(std::vector{value, static_cast<double>(i), interval.low, interval.high}, " ", shortest) +
                    '\n';
    }
    std::erase_if(marks, [](speedup_marks const& m) { return m.points.empty(); });
    auto const scale = seen.high < 4 * seen.low ? axis_scale::linear : axis_scale::log10;
    return "reset\n" + joined(marks, "", &speedup_marks::block) + "set title " + gnuplot_lines(title, 85) + '\n' +
           axis_commands("x", {"speed-up over the base", scale}, seen) + "set xtics " +
           decade_tics(with_margin(seen, scale)).text() + '\n' + legend_and_grid("xtics mxtics") +
           "if (GPVAL_TERM eq 'dumb') set key above\nunset lmargin\nset yrange [" + std::to_string(count) +
           " - 0.4:0.4]\nset ytics (" + joined(labels, ", ") + ")\n" + speedup_base(required) + "plot " +
           joined(marks, ", ", &speedup_marks::plot) + '\n';
}

} // namespace sonde
