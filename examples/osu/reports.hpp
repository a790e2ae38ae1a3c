// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../common/reporter.hpp"
#include "options.hpp"

#include <sonde/environment.hpp>

#include <vector>

namespace osu {

using common::reporter;

/// What `--report` and `-G` ask for, every file opened. For rank 0. Throws refusal where a file cannot be written, or
/// gnuplot is not there.
std::vector<reporter> open_reports(program const& about, options const& asked, sonde::environment const& where);

} // namespace osu
