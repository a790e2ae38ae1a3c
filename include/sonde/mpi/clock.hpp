// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <string>

namespace sonde::mpi {

/// MPI_Wtime as a clock. OMB and IMB use MPI_Wtime.
struct wtime {
    seconds now() const { return seconds{MPI_Wtime()}; }
    /// Equal on all ranks if MPI_WTIME_IS_GLOBAL, the MPI library's assertion that MPI_Wtime is synchronized.
    std::string domain() const {
        int initialized = 0;
        // With the sessions model alone there is no MPI_COMM_WORLD to query.
        if (MPI_Initialized(&initialized) != MPI_SUCCESS || initialized == 0) return "";
        int* global = nullptr;
        int known = 0;
        check(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &global, &known), "MPI_Comm_get_attr");
        return known != 0 && *global != 0 ? "MPI_Wtime" : "";
    }
};

} // namespace sonde::mpi
