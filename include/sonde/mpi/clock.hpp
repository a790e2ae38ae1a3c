// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <mpi.h>

namespace sonde::mpi {

/// MPI_Wtime as a clock: what the suites read.
struct wtime {
    seconds now() const { return seconds{MPI_Wtime()}; }
};

} // namespace sonde::mpi
