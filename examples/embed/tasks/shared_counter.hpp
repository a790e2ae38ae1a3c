// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <exception>

namespace tasks {

/// Numbers by one-sided communication: every rank takes the next number from a counter in the memory of rank 0.
class shared_counter {
public:
    static constexpr auto name = "shared counter";

    /// Constructor and destructor are collective over the communicator.
    explicit shared_counter(MPI_Comm comm) {
        int rank = 0;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &workers_);
        std::int64_t* counter = nullptr;
        MPI_Win_allocate(rank == 0 ? sizeof *counter : 0, 1, MPI_INFO_NULL, comm, &counter, &win_);
        if (rank == 0) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win_);
            *counter = 0;
            MPI_Win_unlock(0, win_);
        }
        MPI_Barrier(comm);
        MPI_Win_lock_all(0, win_);
    }
    shared_counter(shared_counter const&) = delete;
    shared_counter& operator=(shared_counter const&) = delete;
    ~shared_counter() {
        if (std::uncaught_exceptions() != 0) return; // freeing would wait for the other ranks, which do not call it
        MPI_Win_unlock_all(win_);
        MPI_Win_free(&win_);
    }

    /// All ranks.
    int workers() const { return workers_; }

    std::int64_t next() {
        std::int64_t const one = 1;
        std::int64_t number = 0;
        MPI_Fetch_and_op(&one, &number, MPI_INT64_T, 0, 0, MPI_SUM, win_);
        MPI_Win_flush(0, win_);
        return number;
    }

private:
    MPI_Win win_ = MPI_WIN_NULL;
    int workers_ = 0;
};

} // namespace tasks
