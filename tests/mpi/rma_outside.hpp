// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <utility>

// An epoch, a window and operations of one's own: what the library has no word of, in a file that only uses it.

namespace outside {

/// The epoch between any two fences is open: one call closes it and opens the next, as the Intel MPI Benchmarks do.
class one_fence {
public:
    explicit one_fence(sonde::mpi::Window auto const& w) : win_{w.handle()} { fence(); }
    void open(auto) const {}
    void close(auto) const { fence(); }

private:
    void fence() const { sonde::mpi::check(MPI_Win_fence(0, win_), "MPI_Win_fence"); }

    MPI_Win win_;
};

/// Locks of all, flushes of all, and a barrier: complete on both sides.
class flush_and_barrier {
public:
    static constexpr bool passive = true;

    flush_and_barrier(sonde::mpi::group const& ranks, sonde::mpi::Window auto const& w)
        : lock_{w}, comm_{ranks.comm()} {}
    void open(auto) const {}
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) sonde::mpi::check(MPI_Win_flush_all(lock_.win()), "MPI_Win_flush_all");
        sonde::mpi::check(MPI_Barrier(comm_), "MPI_Barrier");
    }

private:
    sonde::mpi::lasting_lock_all lock_;
    MPI_Comm comm_;
};

/// Shared memory with a header of the application's before each rank's part, found by a query.
class headed_window {
public:
    static constexpr std::size_t header = 64;

    headed_window(sonde::mpi::group const& ranks, std::size_t bytes) : bytes_{bytes} {
        void* here = nullptr;
        sonde::mpi::check(MPI_Win_allocate_shared(static_cast<MPI_Aint>(header + bytes), 1, MPI_INFO_NULL, ranks.comm(),
                                                  &here, &win_),
                          "MPI_Win_allocate_shared");
        MPI_Aint size = 0;
        int unit = 0;
        sonde::mpi::check(MPI_Win_shared_query(win_, ranks.rank(), &size, &unit, &here), "MPI_Win_shared_query");
        own_ = {static_cast<std::byte*>(here) + header, bytes};
    }
    headed_window(headed_window const&) = delete;
    headed_window& operator=(headed_window const&) = delete;
    ~headed_window() { MPI_Win_free(&win_); }

    MPI_Win handle() const { return win_; }
    sonde::region region() const { return own_; }
    MPI_Aint base(int) const { return header; }
    std::size_t size(int) const { return bytes_; }

private:
    std::size_t bytes_;
    MPI_Win win_ = MPI_WIN_NULL;
    sonde::region own_;
};

/// MPI_Get_accumulate that changes nothing: an atomic get. It has no form with a request here.
template <sonde::mpi::Targets T>
class get_no_op {
public:
    get_no_op(sonde::mpi::Window auto const& w, T targets, sonde::region into, sonde::mpi::block each)
        : from_{w, std::move(targets), each}, into_{into} {}

    void operator()(std::size_t i) const {
        from_.each(i, [&](int rank, MPI_Aint place, std::size_t k) {
            sonde::mpi::check(MPI_Get_accumulate(nullptr, 0, from_.type(), from_.back(into_, i, k), from_.count(),
                                                 from_.type(), rank, place, from_.count(), from_.type(), MPI_NO_OP,
                                                 from_.win()),
                              "MPI_Get_accumulate");
        });
    }
    std::size_t places() const { return from_.places_back(into_); }
    sonde::traffic moves() const { return from_.moves(); }

private:
    sonde::mpi::reach<T> from_;
    sonde::region into_;
};

} // namespace outside
