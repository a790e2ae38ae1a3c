// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>

#include <mpi.h>

namespace sonde::mpi {

/// origin: MPI_Win_start, MPI_Win_complete.   target: MPI_Win_post, MPI_Win_wait.
class pscw {
public:
    /// `others`: the targets of an origin, the origins of a target.
    template <Targets T>
    pscw(ViewableWindow auto&& w, T const& others) : win_{w.handle()}, others_{of(w.handle(), others)} {}

    template <class Side>
    void open(Side) const {
        if constexpr (Side::exposes) check(MPI_Win_post(others_.get(), 0, win_), "MPI_Win_post");
        if constexpr (Side::accesses) check(MPI_Win_start(others_.get(), 0, win_), "MPI_Win_start");
    }
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) check(MPI_Win_complete(win_), "MPI_Win_complete");
        if constexpr (Side::exposes) check(MPI_Win_wait(win_), "MPI_Win_wait");
    }

private:
    template <Targets T>
    static detail::rank_group of(MPI_Win win, T const& others) {
        detail::rank_group const all{win};
        return {all, detail::ranks_of(others, all)};
    }

    MPI_Win win_;
    detail::rank_group others_;
};

} // namespace sonde::mpi
