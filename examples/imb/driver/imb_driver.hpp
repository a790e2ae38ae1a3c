// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/component.hpp"
#include "suite/launch.hpp"

#include <string>

namespace imb {

/// Lines of the header from the date to the thread level.
std::string about_system(threading level);

/// Text below the last table.
std::string closing();

/// `component::run` of most programs: each benchmark runs with its numbers of processes, modes and sizes.
bool run_sweeps(program_run const& on);

} // namespace imb
