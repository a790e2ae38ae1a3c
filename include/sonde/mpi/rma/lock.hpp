// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>

#include <mpi.h>

#include <utility>

namespace sonde::mpi {

enum class lock_type : int { shared = MPI_LOCK_SHARED, exclusive = MPI_LOCK_EXCLUSIVE };

/// MPI_Win_lock and MPI_Win_unlock of every target, by the origin.
template <Targets T = peer>
class lock {
public:
    static constexpr bool passive = true;

    lock(Window auto const& w, T targets, lock_type type = lock_type::shared)
        : win_{w.handle()}, targets_{detail::checked(std::move(targets), win_)}, type_{type} {}
    template <class Side>
    void open(Side) const {
        if constexpr (Side::accesses)
            targets_.each([this](int r) { check(MPI_Win_lock(static_cast<int>(type_), r, 0, win_), "MPI_Win_lock"); });
    }
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses)
            targets_.each([this](int r) { check(MPI_Win_unlock(r, win_), "MPI_Win_unlock"); });
    }

private:
    MPI_Win win_;
    T targets_;
    lock_type type_;
};
template <class W, class T>
lock(W const&, T) -> lock<T>;
template <class W, class T>
lock(W const&, T, lock_type) -> lock<T>;

/// MPI_Win_lock_all and MPI_Win_unlock_all, by the origin.
class lock_all {
public:
    static constexpr bool passive = true;

    explicit lock_all(Window auto const& w) : win_{w.handle()} {}
    template <class Side>
    void open(Side) const {
        if constexpr (Side::accesses) check(MPI_Win_lock_all(0, win_), "MPI_Win_lock_all");
    }
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) check(MPI_Win_unlock_all(win_), "MPI_Win_unlock_all");
    }

private:
    MPI_Win win_;
};

} // namespace sonde::mpi
