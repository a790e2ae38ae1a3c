// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

// A user-defined epoch, window and operations, in a file that only uses the library.

namespace outside {

/// An epoch between any two fences: one call closes it and opens the next, as the Intel MPI Benchmarks do.
class one_fence {
public:
    explicit one_fence(sonde::mpi::Window auto const& w) : win_{w.handle()} { fence(); }
    void open(auto) const {}
    void close(auto) const { fence(); }

private:
    void fence() const { sonde::mpi::check(MPI_Win_fence(0, win_), "MPI_Win_fence"); }

    MPI_Win win_;
};

// [flush_and_barrier]
/// Flushes under a lock of all ranks, and a barrier: the transfers are complete on both sides. All ranks of the group
/// construct it and close its epochs.
class flush_and_barrier {
public:
    static constexpr bool passive = true; // MPI_Win_lock_all, so that transfers may have requests

    flush_and_barrier(sonde::mpi::group const& ranks, sonde::mpi::Window auto const& w)
        : lock_{w}, comm_{ranks.comm()} {}
    void open(auto) const {}
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) sonde::mpi::check(MPI_Win_flush_all(lock_.win()), "MPI_Win_flush_all");
        sonde::mpi::check(MPI_Barrier(comm_), "MPI_Barrier"); // on every side: also on targets and idle ranks
        if constexpr (Side::exposes) sonde::mpi::check(MPI_Win_sync(lock_.win()), "MPI_Win_sync");
    }

private:
    sonde::mpi::scoped_lock_all lock_; // locks in its constructor, unlocks in its destructor; can be moved
    MPI_Comm comm_;
};
// [/flush_and_barrier]

/// Post-start-complete-wait. `partners`: the targets of an origin, the origins of a target; none for an idle rank.
class post_start {
public:
    post_start(sonde::mpi::Window auto const& w, std::vector<int> const& partners) : win_{w.handle()} {
        MPI_Group all = MPI_GROUP_NULL;
        sonde::mpi::check(MPI_Win_get_group(win_, &all), "MPI_Win_get_group");
        auto const code = MPI_Group_incl(all, static_cast<int>(partners.size()), partners.data(), &partners_);
        MPI_Group_free(&all);
        sonde::mpi::check(code, "MPI_Group_incl");
    }
    post_start(post_start&& other) noexcept
        : win_{other.win_}, partners_{std::exchange(other.partners_, MPI_GROUP_NULL)} {}
    post_start& operator=(post_start&&) = delete;
    ~post_start() {
        if (partners_ != MPI_GROUP_NULL && partners_ != MPI_GROUP_EMPTY) MPI_Group_free(&partners_);
    }

    template <class Side>
    void open(Side) const {
        if constexpr (Side::exposes) sonde::mpi::check(MPI_Win_post(partners_, 0, win_), "MPI_Win_post");
        if constexpr (Side::accesses) sonde::mpi::check(MPI_Win_start(partners_, 0, win_), "MPI_Win_start");
    }
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) sonde::mpi::check(MPI_Win_complete(win_), "MPI_Win_complete");
        if constexpr (Side::exposes) sonde::mpi::check(MPI_Win_wait(win_), "MPI_Win_wait");
    }

private:
    MPI_Win win_;
    MPI_Group partners_ = MPI_GROUP_NULL;
};

/// Shared memory with an application's header before each rank's part, found by a query.
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

/// MPI_Get_accumulate with MPI_NO_OP: an atomic get. It is not request-based here.
template <sonde::mpi::Targets T>
class get_no_op {
public:
    get_no_op(sonde::mpi::Window auto const& w, T targets, sonde::region into, sonde::mpi::block each)
        : from_{w, std::move(targets), each}, into_{into} {}

    void operator()(std::size_t i) const {
        from_.each(i, [&](int rank, MPI_Aint place, std::size_t k) {
            sonde::mpi::check(MPI_Get_accumulate(nullptr, 0, from_.type(), from_.result_address(into_, i, k),
                                                 from_.count(), from_.type(), rank, place, from_.count(), from_.type(),
                                                 MPI_NO_OP, from_.win()),
                              "MPI_Get_accumulate");
        });
    }
    std::size_t capacity() const { return from_.capacity_with_results(into_); }
    sonde::traffic traffic() const { return from_.traffic(); }

private:
    sonde::mpi::target_layout<T> from_;
    sonde::region into_;
};

} // namespace outside
