// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "component.hpp"
#include "options.hpp"

#include <string>
#include <vector>

namespace imb {

// What the command line says to a program. No MPI is needed; files that it names are read by each rank that calls, and
// what is wrong throws common::refusal.

/// What is asked for.
options parse(component const& about, int argc, char const* const* argv);

/// The benchmarks to run, in the order in which they run; one that is asked for twice is there twice.
std::vector<benchmark const*> selected(component const& about, options const& asked);

/// What -help prints: all options, or the one to be explained.
std::string usage(component const& about, options const& asked);

/// What -list prints.
std::string list(component const& about);

} // namespace imb
