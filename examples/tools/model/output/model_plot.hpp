// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/options.hpp"
#include "tools/model/fit/fit.hpp"
#include "tools/model/fit/prediction.hpp"

#include <sonde/drawing/figure.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools::model {

/// Options --plot and --terminal.
struct plot_options {
    std::optional<std::string> file;
    bool terminal = false;

    void add_to(std::vector<suite::option_row>& rows);
    /// Targets for `draw`. Throws std::runtime_error for a file of an unknown format.
    std::vector<std::string> targets() const;
};

/// Figure of a fit: measured points with intervals, and for each number of pairs and each determined segment a curve of
/// the model, with its parameters in the legend. The y axis is the time, or the bandwidth for models of bandwidth.
sonde::figure figure_of(fit_result const& f);

sonde::figure figure_of(prediction const& p);

/// Draw a figure to a file .svg, .png or .pdf, or on the terminal for "-". Throws std::runtime_error if no point can be
/// drawn on the figure's axes, std::system_error if the file cannot be written or gnuplot cannot be started.
void draw(sonde::figure const& figure, std::string const& target);

/// File for the picture of one of several fits: "a-2.svg" for "a.svg".
std::string numbered(std::string const& target, std::size_t number);

} // namespace tools::model
