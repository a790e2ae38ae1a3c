// SPDX-License-Identifier: BSL-1.0
#include "forms.hpp"
#include "run.hpp"
#include "sweep.hpp"

namespace osu {

int run_blocking(int argc, char** argv, char const* name) {
    return launch(argc, argv, family::blocking, find_row<in_turn<sonde::mpi::blocking, 'b'>>(name));
}

} // namespace osu
