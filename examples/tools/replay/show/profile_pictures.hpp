// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/show/profile.hpp"

#include <string>

namespace tools::replay {

/// Figures of a page, as HTML. The profile has messages.

/// A matrix over pairs of ranks with its axes and the numbers of its colors. `title` is "Bytes", `unit` is "bytes".
std::string matrix_figure(trace const& t, profile const& p, double pair_totals::*which, std::string const& title,
                          std::string const& unit);

/// The number of messages by their size.
std::string size_histogram_figure(profile const& p);

} // namespace tools::replay
