// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "fitting.hpp"

#include <sonde/report/figure.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tools::model {

/// Points measured, and the model's curve with its parameters in the legend: for each number of pairs, and for each
/// range of sizes, one. Times, or the bandwidth where a model is about that.
sonde::figure figure_of(fit_result const& f);

/// Of times that were predicted.
sonde::figure figure_of(kind which, std::vector<observation> const& predicted);

/// Draws it: to a file that ends with .svg, .png or .pdf, or for "-" on the terminal. Throws std::runtime_error for
/// other ends, std::system_error where it cannot be written or gnuplot is not there.
void draw(sonde::figure const& what, std::string const& target);

/// For another end, before anything is computed.
void check_target(std::string const& target);

} // namespace tools::model
