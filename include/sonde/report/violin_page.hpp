// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/density.hpp>
#include <sonde/report/figure_axis.hpp>
#include <sonde/report/gnuplot.hpp>
#include <sonde/report/gnuplot_lines.hpp>
#include <sonde/report/text.hpp>
#include <sonde/report/tics.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

/// All samples of one size, or of what else the label says.
struct violin {
    std::string label;
    std::vector<double> values;
};

namespace detail {

inline constexpr std::size_t least_of_violin = 50; // samples: of fewer each is a point

/// Ascending, without what has no place on a logarithmic axis.
inline std::vector<double> placed_values(std::vector<double> values) {
    std::erase_if(values, [](double v) { return !has_place(v, axis_scale::decades); });
    std::sort(values.begin(), values.end());
    return values;
}

/// The data of a page of violins, as gnuplot reads it: outlines, single samples and medians.
class violin_data {
public:
    explicit violin_data(std::vector<violin> const& all) {
        for (std::size_t i = 0; i != all.size(); ++i)
            if (auto const values = placed_values(all[i].values); !values.empty())
                add(static_cast<double>(i + 1), values);
        if (seen_.empty()) throw std::invalid_argument{"sonde::violin_page: there is no value to draw"};
    }

    extent seen() const { return seen_; }
    std::string blocks() const {
        return "$outlines << end_of_points\n" + outlines_ + "end_of_points\n$samples << end_of_points\n" + samples_ +
               "end_of_points\n$medians << end_of_points\n" + medians_ + "end_of_points\n";
    }
    std::string plots() const {
        std::string const fill =
            "$outlines using 1:2 with filledcurves closed fillstyle transparent solid 0.4 linecolor ";
        std::string const dots = "$samples using 1:2 with points pointtype 6 pointsize 0.5 linecolor ";
        return (outlines_.empty() ? "" : fill + "'#0072B2' title 'density of the samples', ") +
               (samples_.empty() ? "" : dots + "'#0072B2' title 'samples', ") +
               "$medians using 1:2 with points pointtype 7 pointsize 0.8 linecolor '#D55E00' title 'median'\n";
    }

private:
    void add(double at, std::vector<double> const& ascending) {
        seen_.add(ascending.front());
        seen_.add(ascending.back());
        put(medians_, at, middle_of(ascending));
        if (ascending.size() >= least_of_violin && ascending.front() < ascending.back())
            add_outline(at, density_of(ascending));
        else
            for (auto const v : ascending) put(samples_, at, v);
    }

    /// Up on the right, down on the left.
    void add_outline(double at, std::vector<density_point> const& density) {
        for (auto const& p : density) put(outlines_, at + 0.4 * p.height, p.value);
        for (auto p = density.rbegin(); p != density.rend(); ++p) put(outlines_, at - 0.4 * p->height, p->value);
        put(outlines_, at + 0.4 * density.front().height, density.front().value);
        outlines_ += "\n\n";
    }

    static void put(std::string& into, double x, double y) { into += shortest(x) + ' ' + shortest(y) + '\n'; }

    extent seen_;
    std::string outlines_, samples_, medians_;
};

/// A label for each, or for every second or third where there are many.
inline std::string violin_labels(std::vector<violin> const& all) {
    auto const step = (all.size() + 9) / 10;
    tic_list tics;
    for (std::size_t i = 0; i < all.size(); i += step) tics.label(static_cast<double>(i + 1), all[i].label);
    return "set xrange [0.4:" + shortest(static_cast<double>(all.size()) + 0.6) + "]\nset xtics " + tics.text() + '\n';
}

} // namespace detail

/// A page, for `draw`, that shows all samples of each label beside one another on a logarithmic axis: the density of 50
/// or more as a violin, of fewer each as a point, and the median of either.
///
/// Densities are of Gaussian kernels over logarithms, each as wide as the others where it is highest. What is no
/// number, or not above 0, is left out; throws std::invalid_argument where nothing is left.
[[nodiscard]] inline std::string violin_page(std::string const& title, std::string const& x_label,
                                             std::string const& y_label, std::vector<violin> const& all) {
    detail::violin_data const data{all};
    return "reset\n" + data.blocks() + "set title " + detail::gnuplot_lines(title, 85) + '\n' +
           detail::axis_commands("y", {y_label}, data.seen(), "") + "set xlabel " + gnuplot_quoted(x_label) + '\n' +
           detail::violin_labels(all) + detail::surroundings("ytics mytics") + "plot " + data.plots();
}

} // namespace sonde
