// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/driver.hpp"
#include "osu/driver/program.hpp"

#include <functional>
#include <memory>
#include <string>

namespace osu {

/// A driver with its buffers, the lines above the title, and the sweep of all points.
struct prepared_run {
    std::shared_ptr<osu::driver> driver;
    std::string preamble;
    std::function<void()> sweep;
};

/// `main` of a program: reads the options, starts MPI, calls `prepare`, prints the lines above the tables, and runs the
/// sweep. Returns the exit status, the same on all ranks. An exception that is not a refusal on all ranks aborts the
/// job, because the other ranks would wait forever.
int launch(int argc, char** argv, program const& about, std::function<prepared_run(invocation const&)> const& prepare);

} // namespace osu
