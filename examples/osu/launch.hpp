// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "bench.hpp"

#include <functional>

namespace osu {

/// `main` of a program: options, MPI, ranks, preamble, then the body; what it returns is the exit status, the same on
/// all ranks. What an exception leaves as a deadlock aborts the job.
int launch(int argc, char** argv, program const& about, std::function<void(bench&)> const& body);

} // namespace osu
