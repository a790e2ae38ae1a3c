// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

// The commands of sonde-replay.

namespace tools::replay {

/// `sonde-replay show`: the words behind it. Returns the exit status. Throws what tools::guarded prints.
int show(std::vector<std::string> const& words);

/// `sonde-replay run`: starts MPI and replays a trace. Returns the exit status of `main`.
int run(int argc, char** argv);

/// `sonde-replay assess`: starts MPI and compares what a trace does with what can be achieved. Returns the exit status
/// of `main`.
int assess(int argc, char** argv);

} // namespace tools::replay
