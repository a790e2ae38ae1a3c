// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace tools::replay {

/// `sonde-replay run`: starts MPI and replays a trace. Returns the exit status of `main`.
int run(int argc, char** argv);

} // namespace tools::replay
