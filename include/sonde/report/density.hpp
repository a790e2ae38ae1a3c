// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace sonde::detail {

/// How dense samples are at a value, as a share of where they are densest.
struct density_point {
    double value;
    double height;
};

/// Silverman's width of a kernel (Density Estimation, 1986, 3.31): 0.9 min(deviation, quartiles' / 1.34) n^(-1/5).
/// Of a clock's few ticks the quartiles may say nothing: then of the deviation alone.
inline double kernel_width(std::vector<double> const& ascending) {
    auto const n = static_cast<double>(ascending.size());
    double mean = 0, squares = 0;
    for (auto const v : ascending) mean += v / n;
    for (auto const v : ascending) squares += (v - mean) * (v - mean) / n;
    auto const quarter = ascending.size() / 4;
    auto const between = (ascending[ascending.size() - 1 - quarter] - ascending[quarter]) / 1.34;
    auto const deviation = std::sqrt(squares);
    return 0.9 * (between > 0 ? std::min(deviation, between) : deviation) * std::pow(n, -0.2);
}

/// How many samples are nearest to each of so many places from the first to the last.
inline std::vector<double> binned(std::vector<double> const& ascending, std::size_t bins) {
    std::vector<double> counts(bins);
    auto const first = ascending.front(), range = ascending.back() - first;
    for (auto const v : ascending)
        ++counts[static_cast<std::size_t>((v - first) / range * static_cast<double>(bins - 1) + 0.5)];
    return counts;
}

/// The density by Gaussian kernels at so many places from the shortest to the longest of several positive values, that
/// are not all the same, on a logarithmic scale: a violin ends where the samples do.
inline std::vector<density_point> density_of(std::vector<double> values, std::size_t bins = 128) {
    for (auto& v : values) v = std::log(v);
    std::sort(values.begin(), values.end());
    auto const counts = binned(values, bins);
    auto const step = (values.back() - values.front()) / static_cast<double>(bins - 1);
    auto const width = std::max(kernel_width(values), step);
    std::vector<density_point> points;
    double top = 0;
    for (std::size_t i = 0; i != bins; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j != bins; ++j) {
            auto const apart = (static_cast<double>(i) - static_cast<double>(j)) * step / width;
            sum += counts[j] * std::exp(-apart * apart / 2);
        }
        points.push_back({std::exp(values.front() + static_cast<double>(i) * step), sum});
        top = std::max(top, sum);
    }
    for (auto& p : points) p.height /= top;
    return points;
}

} // namespace sonde::detail
