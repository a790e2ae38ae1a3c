// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/sample_pages.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sonde::inline v0_1::detail {

std::vector<double> sorted_drawable(std::vector<double> values, axis_scale on) {
    std::erase_if(values, [on](double v) { return !drawable(v, on); });
    std::sort(values.begin(), values.end());
    return values;
}

double median_of_sorted(std::vector<double> const& ascending) {
    auto const n = ascending.size();
    return (ascending[(n - 1) / 2] + ascending[n / 2]) / 2;
}

std::string four_digits(double value) {
    auto const magnitude = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::fabs(value))));
    if (magnitude < -4 || magnitude > 8) return scientific(value, 3);
    return fixed(value, magnitude < 3 ? 3 - magnitude : 0);
}

/// Silverman's rule of thumb for the bandwidth of a Gaussian kernel (Density Estimation, 1986, 3.31):
/// 0.9 min(standard deviation, interquartile range / 1.34) n^(-1/5). If the quartiles are equal, as for times of a few
/// clock ticks, only the standard deviation is used.
double kernel_bandwidth(std::vector<double> const& ascending) {
    auto const n = static_cast<double>(ascending.size());
    double mean = 0, squares = 0;
    for (auto const v : ascending) mean += v / n;
    for (auto const v : ascending) squares += (v - mean) * (v - mean) / n;
    auto const quarter = ascending.size() / 4;
    auto const quartiles = (ascending[ascending.size() - 1 - quarter] - ascending[quarter]) / 1.34;
    auto const deviation = std::sqrt(squares);
    return 0.9 * (quartiles > 0 ? std::min(deviation, quartiles) : deviation) * std::pow(n, -0.2);
}

bool nearly_equal(std::vector<double> const& ascending) {
    return !(std::log(ascending.back()) - std::log(ascending.front()) > 1e-12);
}

std::vector<density_point> kernel_density(std::vector<double> values, std::size_t bins) {
    for (auto& v : values) v = std::log(v);
    std::sort(values.begin(), values.end());
    auto const first = values.front(), range = values.back() - first, last_bin = static_cast<double>(bins - 1);
    std::vector<double> counts(bins); // of the values nearest to each
    for (auto const v : values) ++counts[static_cast<std::size_t>(std::lround((v - first) / range * last_bin))];
    auto const step = range / last_bin, bandwidth = std::max(kernel_bandwidth(values), step);
    std::vector<density_point> points;
    double max = 0;
    for (std::size_t i = 0; i != bins; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j != bins; ++j) {
            auto const distance = (static_cast<double>(i) - static_cast<double>(j)) * step / bandwidth;
            sum += counts[j] * std::exp(-distance * distance / 2);
        }
        points.push_back({std::exp(first + static_cast<double>(i) * step), sum});
        max = std::max(max, sum);
    }
    for (auto& p : points) p.density /= max;
    return points;
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

std::string samples_page(std::string const& title, std::string const& x_label, std::string const& y_label,
                         std::vector<double> const& values) {
    using namespace detail;
    auto const sorted = sorted_drawable(values, axis_scale::linear);
    if (sorted.empty()) throw std::invalid_argument{"sonde::samples_page: there is no value to draw"};
    auto const median = median_of_sorted(sorted);
    auto const outliers = sorted.front() > 0 && sorted.back() > 5 * median;
    axis const y_axis{y_label, outliers ? axis_scale::log10 : axis_scale::linear};
    // The legend repeats the label of the y axis, because a terminal of characters has no vertical text.
    return "reset\n$samples << end_of_samples\n" + joined(values, "\n", shortest) + "\nend_of_samples\nset title " +
           gnuplot_quoted(title) + "\nset xlabel " + gnuplot_quoted(x_label) + '\n' +
           axis_commands("y", y_axis, {sorted.front(), sorted.back()}) +
           "set key above right horizontal samplen 2\n"
           "if (GPVAL_TERM ne 'dumb') set grid ytics linetype 1 linecolor '#dddddd'\n"
           "dot = GPVAL_TERM eq 'dumb' ? 0 : 7\nplot [0:" +
           std::to_string(values.size()) +
           "] $samples using 0:1 with points pointtype dot pointsize 0.5 linecolor '#0072B2' title " +
           gnuplot_quoted(y_label) + ", " + shortest(median) + " with lines linecolor '#D55E00' title " +
           gnuplot_quoted("median " + four_digits(median)) + '\n';
}

std::string violin_page(std::string const& title, std::string const& x_label, std::string const& y_label,
                        std::vector<violin> const& all) {
    using namespace detail;
    violin_data data;
    tic_list labels; // of each violin, or of every second or third if there are many
    for (std::size_t i = 0; i != all.size(); ++i) {
        auto const x = static_cast<double>(i + 1);
        if (i % ((all.size() + 9) / 10) == 0) labels.label(x, all[i].label);
        if (auto const values = sorted_drawable(all[i].values, axis_scale::log10); !values.empty()) data.add(x, values);
    }
    if (data.range.empty()) throw std::invalid_argument{"sonde::violin_page: there is no value to draw"};
    return "reset\n$outlines << end_of_points\n" + data.outlines + "end_of_points\n$samples << end_of_points\n" +
           data.samples + "end_of_points\n$medians << end_of_points\n" + data.medians + "end_of_points\nset title " +
           gnuplot_lines(title, 85) + '\n' + axis_commands("y", {y_label}, data.range) + "set xlabel " +
           gnuplot_quoted(x_label) + "\nset xrange [0.4:" + shortest(static_cast<double>(all.size()) + 0.6) +
           "]\nset xtics " + labels.text() + '\n' + legend_and_grid("ytics mytics") + "plot " +
           (data.outlines.empty() ? ""
                                  : "$outlines using 1:2 with filledcurves closed fillstyle transparent solid 0.4 "
                                    "linecolor '#0072B2' title 'density of the samples', ") +
           (data.samples.empty() ? ""
                                 : "$samples using 1:2 with points pointtype 6 pointsize 0.5 linecolor '#0072B2' "
                                   "title 'samples', ") +
           "$medians using 1:2 with points pointtype 7 pointsize 0.8 linecolor '#D55E00' title 'median'\n";
}

} // namespace sonde
