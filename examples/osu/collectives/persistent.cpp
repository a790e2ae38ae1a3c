// SPDX-License-Identifier: BSL-1.0
#include "forms.hpp"
#include "run.hpp"
#include "sweep.hpp"

#if SONDE_MPI_PERSISTENT_COLLECTIVES

namespace osu {

int run_persistent(int argc, char** argv, char const* name) {
    return launch(argc, argv, family::persistent, find_row<in_turn<sonde::mpi::persistent, 'p'>>(name));
}

} // namespace osu

#endif
