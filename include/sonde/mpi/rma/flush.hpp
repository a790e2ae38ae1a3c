// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/rma/lasting_lock.hpp>
#include <sonde/mpi/rma/lock.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>

#include <mpi.h>

#include <utility>

// Epochs under locks that last as long as the epoch's object. A rank that is only a target locks nobody: `peer{-1}`. An
// exclusive lock keeps every other origin waiting until the object ends.

namespace sonde::mpi {

/// MPI_Win_flush of every target: complete there.
template <Targets T = peer>
class flush {
public:
    static constexpr bool passive = true;

    flush(ViewableWindow auto&& w, T targets, lock_type type = lock_type::shared)
        : locks_{w, targets, type}, targets_{std::move(targets)} {}
    void open(auto) const {}
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses)
            targets_.each([this](int rank) { check(MPI_Win_flush(rank, locks_.win()), "MPI_Win_flush"); });
    }

private:
    lasting_locks locks_;
    T targets_;
};
template <class W, class T>
flush(W const&, T) -> flush<T>;
template <class W, class T>
flush(W const&, T, lock_type) -> flush<T>;

/// MPI_Win_flush_local of every target: complete at the origin, whose buffers are free again, not at the target.
template <Targets T = peer>
class flush_local {
public:
    static constexpr bool passive = true;

    flush_local(ViewableWindow auto&& w, T targets, lock_type type = lock_type::shared)
        : locks_{w, targets, type}, targets_{std::move(targets)} {}
    void open(auto) const {}
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses)
            targets_.each([this](int rank) { check(MPI_Win_flush_local(rank, locks_.win()), "MPI_Win_flush_local"); });
    }

private:
    lasting_locks locks_;
    T targets_;
};
template <class W, class T>
flush_local(W const&, T) -> flush_local<T>;
template <class W, class T>
flush_local(W const&, T, lock_type) -> flush_local<T>;

/// MPI_Win_flush_all, under MPI_Win_lock_all: complete at all targets.
class flush_all {
public:
    static constexpr bool passive = true;

    explicit flush_all(ViewableWindow auto&& w) : lock_{w} {}
    void open(auto) const {}
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) check(MPI_Win_flush_all(lock_.win()), "MPI_Win_flush_all");
    }

private:
    lasting_lock_all lock_;
};

/// MPI_Win_flush_local_all, under MPI_Win_lock_all: complete at the origin.
class flush_local_all {
public:
    static constexpr bool passive = true;

    explicit flush_local_all(ViewableWindow auto&& w) : lock_{w} {}
    void open(auto) const {}
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) check(MPI_Win_flush_local_all(lock_.win()), "MPI_Win_flush_local_all");
    }

private:
    lasting_lock_all lock_;
};

} // namespace sonde::mpi
