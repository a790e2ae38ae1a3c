// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/options.hpp"
#include "suite/options.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace imb {

/// The options of the programs that share a driver, in the order in which they are set, bound to the members of `into`.
/// Those that the program lacks are not taken.
std::vector<option_row> option_table(options& into, component const& about);

// Options of IMB-P2P and IMB-MT, too, bound to members of `into`.
option_row help_option();
option_row list_option(options& into);
option_row thread_level_option(options& into, std::string help);
/// -input, -include, -exclude
std::vector<option_row> selection_options(options& into);
option_row window_size_option(options& into, std::string help);
option_row check_option(options& into, std::string help);

/// Names of benchmarks with commas between, appended; none is empty.
option_value name_list(std::vector<std::string>& into);
/// A file of sizes; see sizes_in.
option_value size_file(std::vector<std::size_t>& into);

} // namespace imb
