// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../setting.hpp"

#include <sonde/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/run.hpp>

#include <mpi.h>

#include <cstddef>

namespace imb {

/// A window is made, used for a byte that a rank puts to itself, and freed. By MPI's calls alone: Sonde's windows have
/// a talk of their own.
class window_life {
public:
    window_life(sonde::mpi::group const& group, sonde::region out, sonde::region window)
        : group_{group}, out_{out}, window_{window} {}

    void operator()() const {
        MPI_Win win = MPI_WIN_NULL;
        auto const bytes = static_cast<MPI_Aint>(window_.size());
        sonde::mpi::check(MPI_Win_create(window_.data(), bytes, 1, MPI_INFO_NULL, group_.comm(), &win),
                          "MPI_Win_create");
        sonde::mpi::check(MPI_Win_fence(0, win), "MPI_Win_fence");
        if (!window_.empty())
            sonde::mpi::check(MPI_Put(out_.data(), 1, MPI_BYTE, group_.rank(), 0, 1, MPI_BYTE, win), "MPI_Put");
        sonde::mpi::check(MPI_Win_fence(0, win), "MPI_Win_fence");
        sonde::mpi::check(MPI_Win_free(&win), "MPI_Win_free");
    }
    sonde::traffic moves() const { return window_.empty() ? sonde::traffic{} : sonde::traffic{1, 1}; }

private:
    sonde::mpi::group const& group_;
    sonde::region out_;
    sonde::region window_;
};

inline work life_of_window(setting& on) {
    work made;
    made.measure = [&on](std::size_t n) -> outcome {
        window_life const pattern{on.group, on.send.bytes(), on.receive.bytes().first(on.bytes)};
        return {sonde::run(on.group, on.whole(n), pattern, on.point()), {}, {}};
    };
    return made;
}

} // namespace imb
