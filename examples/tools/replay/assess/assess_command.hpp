// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace tools::replay {

/// `sonde-replay assess`: starts MPI and compares what a trace does with what can be achieved. Returns the exit status
/// of `main`.
int assess(int argc, char** argv);

} // namespace tools::replay
