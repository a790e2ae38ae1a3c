// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/rma/lock.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>

#include <mpi.h>

#include <utility>
#include <vector>

namespace sonde::mpi {

/// Locks of some targets, from the constructor to the destructor: for epochs that open and close under them.
class [[nodiscard]] lasting_locks {
public:
    lasting_locks(ViewableWindow auto&& w, Targets auto const& targets, lock_type type) : lasting_locks{w.handle()} {
        for (auto const rank : detail::to_lock(win_, targets, type)) {
            check(MPI_Win_lock(static_cast<int>(type), rank, 0, win_), "MPI_Win_lock");
            held_.push_back(rank);
        }
    }
    lasting_locks(lasting_locks&& other) noexcept : win_{other.win_}, held_{std::exchange(other.held_, {})} {}
    lasting_locks& operator=(lasting_locks&&) = delete;
    ~lasting_locks() {
        for (auto const rank : held_) MPI_Win_unlock(rank, win_);
    }
    MPI_Win win() const { return win_; }

private:
    explicit lasting_locks(MPI_Win win) : win_{win} {} // complete: should a lock fail, those before it are given back

    MPI_Win win_;
    std::vector<int> held_;
};

/// A lock of all ranks, from the constructor to the destructor.
class [[nodiscard]] lasting_lock_all {
public:
    explicit lasting_lock_all(ViewableWindow auto&& w) : win_{detail::lockable(w.handle())} {
        check(MPI_Win_lock_all(0, win_), "MPI_Win_lock_all");
    }
    lasting_lock_all(lasting_lock_all&& other) noexcept : win_{std::exchange(other.win_, MPI_WIN_NULL)} {}
    lasting_lock_all& operator=(lasting_lock_all&&) = delete;
    ~lasting_lock_all() {
        if (win_ != MPI_WIN_NULL) MPI_Win_unlock_all(win_);
    }
    MPI_Win win() const { return win_; }

private:
    MPI_Win win_;
};

} // namespace sonde::mpi
