// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/tune/tuning.hpp"

#include <string>

namespace tools::tune {

/// Draws the course of a race: the ratio of each candidate's times to the default's after each round,
/// its 95 % interval, and a cross where the candidate left the race. The legend, in the order of the ratios, has the
/// results of `race_table`.
///
/// The file is a .svg, .png or .pdf. Throws as `sonde::draw` does.
void draw_race(std::string const& path, race_result const& r, std::string const& title, race_criteria const& criteria);

} // namespace tools::tune
