// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "component.hpp"
#include "options.hpp"

#include <string>
#include <vector>

namespace imb {

/// The lines from the date to the level of threads.
std::string about_system(threading level);

/// What stands above all tables, up to the list of benchmarks.
std::string header_of(component const& about, options const& asked, std::vector<std::string> const& command,
                      std::vector<benchmark const*> const& tests);

/// What stands below them.
std::string closing();

} // namespace imb
