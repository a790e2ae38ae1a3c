// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/figure.hpp>

#include <boost/program_options.hpp>

#include <string>
#include <vector>

namespace tools::model {

/// What --plot and --terminal ask for. Throws std::runtime_error for a picture of another kind.
std::vector<std::string> plots_of(boost::program_options::variables_map const& found);

/// Throws std::runtime_error where a file would be written that is one of those read.
void keep_inputs(std::vector<std::string> const& read, std::vector<std::string> const& written);

/// Draws it: to a file that ends with .svg, .png or .pdf, or for "-" on the terminal. Throws std::runtime_error where
/// nothing has a place on its axes, std::system_error where it cannot be written or gnuplot is not there.
void draw(sonde::figure const& what, std::string const& target);

/// What was printed is there now. Throws std::system_error where it is not.
void flush_output();

} // namespace tools::model
