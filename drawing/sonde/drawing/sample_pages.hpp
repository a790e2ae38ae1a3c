// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/drawing/figure.hpp>
#include <sonde/drawing/gnuplot.hpp>
#include <sonde/report/text.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sonde::inline v0_1 {

/// The samples of one violin of a `violin_page`; the label names their size, or another parameter.
struct violin {
    std::string label;          // below the violin
    std::vector<double> values; // of the samples
};

namespace detail {

/// The values that an axis can show, in ascending order.
std::vector<double> sorted_drawable(std::vector<double> values, axis_scale on);

/// The median of at least one value.
double median_of_sorted(std::vector<double> const& ascending);

/// A number with four significant digits, and with an exponent only if it would be long without it.
std::string four_digits(double value);

struct density_point {
    double value;
    double density; // relative to the maximum
};

/// True if positive values in ascending order are equal or differ only by a rounding error, so that a logarithmic scale
/// cannot distinguish them.
bool nearly_equal(std::vector<double> const& ascending);

/// Kernel density estimate of positive values that are not `nearly_equal`, on a logarithmic scale, at `bins` values
/// from the smallest to the largest. A violin therefore ends where its samples end.
std::vector<density_point> kernel_density(std::vector<double> values, std::size_t bins = 128);

/// The datablocks of a page of violins.
struct violin_data {
    value_range range{};
    std::string outlines{}, samples{}, medians{};

    static void add_point(std::string& to, double x, double y) { to += shortest(x) + ' ' + shortest(y) + '\n'; }

    /// Add the outline of a violin, up on the right side and down on the left, or fewer than 50 samples as points.
    void add(double x, std::vector<double> const& ascending) {
        range.add(ascending.front());
        range.add(ascending.back());
        add_point(medians, x, median_of_sorted(ascending));
        if (ascending.size() < 50 || nearly_equal(ascending)) {
            for (auto const v : ascending) add_point(samples, x, v);
            return;
        }
        auto const points = kernel_density(ascending);
        for (auto const& p : points) add_point(outlines, x + 0.4 * p.density, p.value);
        for (auto p = points.rbegin(); p != points.rend(); ++p) add_point(outlines, x - 0.4 * p->density, p->value);
        add_point(outlines, x + 0.4 * points.front().density, points.front().value);
        outlines += "\n\n";
    }
};

} // namespace detail

/// A page for `draw` that shows every value in the order given, and the median as a line.
///
/// The axis of the values is logarithmic if the largest is more than 5 times the median, so that outliers do not press
/// all other values into one line. Throws std::invalid_argument if no value is finite.
[[nodiscard]] std::string samples_page(std::string const& title, std::string const& x_label, std::string const& y_label,
                                       std::vector<double> const& values);

/// A page for `draw` that shows the samples of each label next to one another on a logarithmic axis: 50 samples or more
/// as a violin, fewer as points, each with its median.
///
/// A violin is a Gaussian kernel density estimate over logarithms; all are scaled to the same width. Values that are
/// NaN, infinite or not positive are left out; throws std::invalid_argument if no value is left.
[[nodiscard]] std::string violin_page(std::string const& title, std::string const& x_label, std::string const& y_label,
                                      std::vector<violin> const& all);

} // namespace sonde
