// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_program.hpp"
#include "suite/programs.hpp"

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

/// Makes the driver of a run. Throws refusal on all ranks. Collective over the group.
using preparation = std::function<prepared_run(invocation const&)>;

/// A program of the suite. Its `main` reads the options, starts MPI, calls `prepare`, prints the lines above the
/// tables, and runs the sweep; the exit status is the same on all ranks.
suite::named_program named(program about, preparation prepare);

} // namespace osu
