// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/options.hpp"
#include "suite/options.hpp"

#include <vector>

namespace osu {

/// The options of a program in the order of its help, bound to the members of `into`.
std::vector<option_row> option_table(options& into, program const& about);

} // namespace osu
