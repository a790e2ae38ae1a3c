// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <cstdint>

namespace tasks {

/// Numbers by two-sided communication: rank 0 counts and answers requests, and does no tasks.
class server {
public:
    static constexpr auto name = "server on rank 0, which does no tasks";

    explicit server(MPI_Comm comm) : comm_{comm} {
        int rank = 0, size = 0;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        serves_ = rank == 0;
        workers_ = size - 1;
    }

    bool serves() const { return serves_; }
    /// All ranks but the server.
    int workers() const { return workers_; }

    /// For a worker: request a number and wait for it.
    std::int64_t next() {
        std::int64_t number = 0;
        MPI_Send(nullptr, 0, MPI_INT64_T, 0, question, comm_);
        MPI_Recv(&number, 1, MPI_INT64_T, 0, answer, comm_, MPI_STATUS_IGNORE);
        return number;
    }
    /// For the server: answer a given number of requests, from any worker. Returns the last number that was given.
    std::int64_t serve(int questions) {
        for (; questions != 0; --questions) {
            MPI_Status asked;
            MPI_Recv(nullptr, 0, MPI_INT64_T, MPI_ANY_SOURCE, question, comm_, &asked);
            MPI_Send(&next_, 1, MPI_INT64_T, asked.MPI_SOURCE, answer, comm_);
            ++next_;
        }
        return next_ - 1;
    }

private:
    static constexpr int question = 1, answer = 2;

    MPI_Comm comm_;
    bool serves_ = false;
    int workers_ = 0;
    std::int64_t next_ = 0;
};

} // namespace tasks
