// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/race_plot.hpp"

#include "tools/text.hpp"
#include "tools/tune/race.hpp"
#include "tools/tune/tune_text.hpp"

#include <sonde/drawing/figure.hpp>
#include <sonde/drawing/gnuplot.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>

namespace tools::tune {

namespace {

using sonde::detail::shortest;

/// Course of a candidate, and its entry of the legend.
struct lane {
    std::string name;
    std::vector<course_point> course;
    bool is_racing;

    double last() const { return course.empty() ? 0 : course.back().ratio; }
};

/// "coll_tuned_bcast_algorithm=" if all candidates are values of one variable, which the title then names.
std::string common_variable(std::vector<candidate> const& all) {
    auto const& variable = all.front().settings.front().variable;
    auto const has_it = [&](candidate const& c) { return c.settings.front().variable == variable; };
    return all.size() > 1 && std::all_of(all.begin(), all.end(), has_it) ? variable + '=' : "";
}

/// Lanes from the slowest to the fastest candidate, as they end in the picture; those without a launch are last.
std::vector<lane> lanes_of(race_result const& r, race_criteria const& criteria) {
    std::vector<lane> lanes;
    auto const prefix = common_variable(r.candidates).size();
    auto const results = race_results(r, criteria);
    for (std::size_t i = 1; i != r.racers.size(); ++i)
        lanes.push_back({r.candidates[i - 1].text().substr(prefix) + ": " + results[i - 1],
                         course_of(r.racers.front(), r.racers[i], criteria.resolution), r.racers[i].is_racing});
    std::stable_sort(lanes.begin(), lanes.end(), [](auto const& a, auto const& b) { return a.last() > b.last(); });
    return lanes;
}

/// Lanes side by side in each round, so that their intervals do not cover each other.
double place(std::size_t round, std::size_t lane, std::size_t lanes) {
    auto const n = static_cast<double>(lanes);
    return static_cast<double>(round) + 0.7 * ((static_cast<double>(lane) + 0.5) / n - 0.5);
}

/// The commands that plot lanes, the data before them, and the range of the ratios.
class race_script {
public:
    explicit race_script(std::vector<lane> const& lanes) : lanes_{lanes} {
        ratios_.add(1);
        for (std::size_t i = 0; i != lanes.size(); ++i) add(i);
    }

    std::string const& datablocks() const { return datablocks_; }
    std::string plots() const {
        auto text = "plot 1 with lines linecolor '#888888' linewidth 2 title 'default'" + bars_ + curves_;
        return crosses_.empty() ? text : text + crosses_ + ", NaN" + cross + "title 'dropped'";
    }
    sonde::detail::value_range ratios() const { return ratios_; }

private:
    static constexpr char const* cross = " with points pointtype 2 pointsize 1.5 linewidth 2 linecolor '#000000' ";

    void add(std::size_t number) {
        auto const& l = lanes_[number];
        auto const data = "$lane_" + std::to_string(number);
        sonde::detail::curve_style const style{number};
        auto const title = " title " + sonde::gnuplot_quoted(l.name);
        if (l.course.empty()) {
            curves_ += ", NaN with points" + style.color() + style.marker() + title;
            return;
        }
        add_points(data, number);
        bars_ +=
            ", " + data + " using 1:3:(0):($4 - $3) with vectors nohead linewidth 0.7" + style.color() + " notitle";
        curves_ += ", " + data + " using 1:2 with linespoints" + style.marker() + style.line() + title;
        if (!l.is_racing)
            crosses_ +=
                ", " + data + " every ::" + std::to_string(l.course.size() - 1) + " using 1:2" + cross + "notitle";
    }

    /// Adds a line of place, ratio and the ends of its interval for each round.
    void add_points(std::string const& data, std::size_t number) {
        auto const& course = lanes_[number].course;
        datablocks_ += data + " << end_of_points\n";
        for (std::size_t i = 0; i != course.size(); ++i) {
            auto const& p = course[i];
            auto const low = p.low.value_or(p.ratio), high = p.high.value_or(p.ratio);
            for (auto const v : {low, high}) ratios_.add(v);
            for (auto const v : {place(i + 1, number, lanes_.size()), p.ratio, low, high})
                datablocks_ += shortest(v) + ' ';
            datablocks_ += '\n';
        }
        datablocks_ += "end_of_points\n";
    }

    std::vector<lane> const& lanes_;
    std::string datablocks_{}, bars_{}, curves_{}, crosses_{};
    sonde::detail::value_range ratios_{};
};

std::string race_page(race_result const& r, std::string const& title, race_criteria const& criteria) {
    auto const lanes = lanes_of(r, criteria);
    race_script const script{lanes};
    auto const ratios = script.ratios();
    auto const scale = ratios.high > 8 * ratios.low ? sonde::axis_scale::log10 : sonde::axis_scale::linear;
    auto const rows = r.racers.front().times.size();
    auto const ratio = std::string{"time / default"} + (rows == 1 ? "" : ", mean of " + count_text(rows, "row"));
    auto const variable = common_variable(r.candidates);
    auto const whole = variable.empty() ? title : variable.substr(0, variable.size() - 1) + ": " + title;
    return "reset\n" + script.datablocks() + "set title " + sonde::detail::gnuplot_lines(whole, 100) +
           "\nset xlabel 'round (bars: 95 % interval of the mean so far)'\nset xrange [0.5:" +
           std::to_string(r.rounds) + ".5]\nset xtics " + std::to_string(1 + r.rounds / 20) + '\n' +
           sonde::detail::axis_commands("y", {ratio, scale}, ratios) + sonde::detail::legend_and_grid("ytics") +
           "set key vertical maxrows " + std::to_string((lanes.size() + 3) / 2) + " samplen 3 width -6\n" +
           script.plots() + '\n';
}

} // namespace

void draw_race(std::string const& path, race_result const& r, std::string const& title, race_criteria const& criteria) {
    constexpr std::size_t lanes_of_a_figure = 16; // more lanes take a higher picture, for the lines of the legend
    auto const height = static_cast<int>(1 + r.candidates.size() / lanes_of_a_figure);
    sonde::draw(sonde::canvas::for_file(path, height), race_page(r, title, criteria));
}

} // namespace tools::tune
