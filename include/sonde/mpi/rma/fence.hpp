// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/rma/window.hpp>

#include <mpi.h>

namespace sonde::mpi {

/// MPI_Win_fence before and after, by all ranks of the window, whatever their side.
class fence {
public:
    /// Assertions (MPI_MODE_...) of the fences that open and close.
    explicit fence(ViewableWindow auto&& w, int opening = 0, int closing = 0)
        : win_{w.handle()}, opening_{opening}, closing_{closing} {}
    void open(auto) const { check(MPI_Win_fence(opening_, win_), "MPI_Win_fence"); }
    void close(auto) const { check(MPI_Win_fence(closing_, win_), "MPI_Win_fence"); }
    void turn(auto, auto) const { check(MPI_Win_fence(0, win_), "MPI_Win_fence"); } // one fence is both

private:
    MPI_Win win_;
    int opening_;
    int closing_;
};

} // namespace sonde::mpi
