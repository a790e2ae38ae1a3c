// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <string>
#include <vector>

namespace sonde {

/// Points of a figure: a series that was measured, with its interval as a band, or a model's line.
struct curve {
    std::string name; // of the legend
    std::vector<double> x{};
    std::vector<double> y{};
    std::vector<double> low{}; // as many as y, or none: no band
    std::vector<double> high{};
    bool measured = true; // points joined by a line; else a line alone
};

/// How an axis goes: evenly, by powers of ten, or by powers of two that are named in KiB and MiB.
enum class axis_scale : unsigned char { linear, decades, binary };

struct axis {
    std::string label; // with its unit
    axis_scale scale = axis_scale::decades;
};

/// Curves over common axes; `figure_page` draws it.
struct figure {
    std::string title;
    axis across{"message size (bytes)", axis_scale::binary};
    axis up{};
    std::vector<curve> curves{};
};

} // namespace sonde
