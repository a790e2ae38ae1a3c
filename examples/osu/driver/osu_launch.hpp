// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_driver.hpp"
#include "suite/launch.hpp"

namespace osu {

/// A program of the suite. Its `main` reads the options, starts MPI, calls `prepare`, prints the lines above the
/// tables, and runs the sweep; the exit status is the same on all ranks.
suite::named_program named(program about, preparation prepare);

} // namespace osu
