// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/imb_options.hpp"

#include <vector>

namespace imb {

/// The options of IMB-MT, most of which IMB-HALO has, too, bound to the members of `into`. `stride` is the row of
/// -stride.
std::vector<option_row> thread_option_table(options& into, option_set lacks, option_row stride);

/// Sets the counts that neither program has been given.
void complete_counts(options& asked);

} // namespace imb
