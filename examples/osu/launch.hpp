// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "bench.hpp"

#include <functional>
#include <memory>
#include <string>

namespace osu {

/// A stage with its memory taken, the lines above the title, and what is done on it.
struct prepared {
    std::shared_ptr<stage> on;
    std::string above;
    std::function<void()> body;
};

/// `main` of a program: options, MPI, ranks, `prepare`, preamble, then the body; what it returns is the exit status,
/// the same on all ranks. What an exception leaves as a deadlock aborts the job.
int launch(int argc, char** argv, program const& about, std::function<prepared(given const&)> const& prepare);

/// The same for messages between ranks.
int launch(int argc, char** argv, program const& about, std::function<void(bench&)> const& body);

} // namespace osu
