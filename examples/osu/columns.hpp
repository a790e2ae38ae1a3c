// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "finding.hpp"
#include "options.hpp"

#include <sonde/record.hpp>
#include <sonde/time.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace osu {

/// A column beside the size: title and text are mostly 18 wide, on the right.
struct column {
    std::string title;
    std::function<std::string(finding const&)> text;
};

/// The columns of a program, in OMB's order, then those of `--honest`.
std::vector<column> columns_of(program const& about, options const& asked);

/// OMB's figures of a program: those in front of the validation.
std::vector<column> value_columns(program const& about, options const& asked);

/// OMB's overlap, in percent: what is left of the communication's time, beside the work without tests, is not hidden.
/// From means over ranks; 0 where that is negative.
double overlap_percent(sonde::overlap_records const& found);

/// The sample below or at which `percent` of the times are: the ceil(n percent / 100)-th of n in ascending order, the
/// first for 0. No times: std::invalid_argument.
sonde::seconds percentile(std::span<sonde::seconds const> times, int percent);

/// A time of an iteration as the program shows it: microseconds one way, or MB/s.
double shown(figure as, sonde::record const& found, sonde::seconds iteration);

/// Two decimals, `width` characters on the right.
std::string fixed(double value, int width = 18);
std::string right(std::string const& text, int width = 18);

} // namespace osu
