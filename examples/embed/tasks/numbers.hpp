// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "job.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <numeric>
#include <thread>
#include <vector>

// Ways to number the tasks of a job, and the job itself: `numbers.next()` is the number of the next task.

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
        MPI_Send(nullptr, 0, MPI_INT64_T, 0, request, comm_);
        MPI_Recv(&number, 1, MPI_INT64_T, 0, answer, comm_, MPI_STATUS_IGNORE);
        return number;
    }
    /// For the server: answer a given number of requests, from any worker. Returns the last number that was given.
    std::int64_t serve(int requests) {
        for (; requests != 0; --requests) {
            MPI_Status received;
            MPI_Recv(nullptr, 0, MPI_INT64_T, MPI_ANY_SOURCE, request, comm_, &received);
            MPI_Send(&next_, 1, MPI_INT64_T, received.MPI_SOURCE, answer, comm_);
            ++next_;
        }
        return next_ - 1;
    }

private:
    static constexpr int request = 1, answer = 2;

    MPI_Comm comm_;
    bool serves_ = false;
    int workers_ = 0;
    std::int64_t next_ = 0;
};

/// Numbers for a job of a single rank, which needs neither a shared counter nor a server.
class local_numbers {
public:
    static constexpr auto name = "nobody to ask for numbers";

    std::int64_t next() { return next_++; }

private:
    std::int64_t next_ = 0;
};

/// Number of times that each task was done, and its iterations.
class task_counts {
public:
    explicit task_counts(std::int64_t tasks) : times_(static_cast<std::size_t>(tasks)), iterations_(times_.size()) {}

    void enter(std::int64_t task, std::int64_t iterations) {
        times_[static_cast<std::size_t>(task)] += 1;
        iterations_[static_cast<std::size_t>(task)] += iterations;
    }
    /// Add the entries of the other ranks, on rank 0. Collective.
    void collect(MPI_Comm comm) {
        add_up(times_, comm);
        add_up(iterations_, comm);
    }

    std::vector<std::int64_t> const& times() const { return times_; }
    std::vector<std::int64_t> const& iterations() const { return iterations_; }
    std::int64_t tasks_done() const { return sum_of(times_); }
    std::int64_t iterations_done() const { return sum_of(iterations_); }

private:
    static std::int64_t sum_of(std::vector<std::int64_t> const& v) {
        return std::accumulate(v.begin(), v.end(), std::int64_t{0});
    }
    static void add_up(std::vector<std::int64_t>& v, MPI_Comm comm) {
        int rank = 0;
        MPI_Comm_rank(comm, &rank);
        void const* const mine = rank == 0 ? MPI_IN_PLACE : v.data();
        MPI_Reduce(mine, v.data(), static_cast<int>(v.size()), MPI_INT64_T, MPI_SUM, 0, comm);
    }

    std::vector<std::int64_t> times_;
    std::vector<std::int64_t> iterations_;
};

/// Do tasks until the numbers of all tasks are used up.
template <class Way>
void work(picture const& of, Way& numbers, task_counts& done) {
    for (auto task = numbers.next(); task < of.tasks(); task = numbers.next()) done.enter(task, iterations(of, task));
}

/// The server answers until every worker knows that no task is left; workers do tasks.
inline void work(picture const& of, server& numbers, task_counts& done) {
    if (!numbers.serves()) return work<server>(of, numbers, done);
    for (auto working = numbers.workers(); working != 0;)
        if (numbers.serve(1) >= of.tasks()) --working;
}

/// Do all tasks on all ranks of the communicator. Returns the time from the first number to the end of the last task
/// on the last rank. Collective.
template <class Way>
double time_of_job(MPI_Comm comm, picture const& of, Way& numbers, task_counts& done) {
    MPI_Barrier(comm);
    auto const begin = MPI_Wtime();
    work(of, numbers, done);
    auto took = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, comm);
    return took;
}

/// Result of the job on a single rank: the reference for the work of all ranks, and the cost of a task.
struct serial_result {
    task_counts done;         // of rank 0
    double seconds = 0;       // of the job; equal on all ranks
    std::int64_t average = 0; // iterations of a task; equal on all ranks
};

/// Barrier whose ranks sleep while they wait, so that they do not take the processor from a rank that works.
inline void sleep_until_all_arrive(MPI_Comm comm) {
    MPI_Request all = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm, &all);
    for (int complete = 0; MPI_Test(&all, &complete, MPI_STATUS_IGNORE), complete == 0;)
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
}

/// Rank 0 works, the others wait. Collective.
inline serial_result solve_serially(MPI_Comm comm, picture const& of) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    serial_result found{task_counts{of.tasks()}};
    if (rank == 0) {
        local_numbers numbers;
        found.seconds = time_of_job(MPI_COMM_SELF, of, numbers, found.done);
        found.average = std::max(found.done.iterations_done() / of.tasks(), std::int64_t{1});
    }
    sleep_until_all_arrive(comm);
    MPI_Bcast(&found.seconds, 1, MPI_DOUBLE, 0, comm);
    MPI_Bcast(&found.average, 1, MPI_INT64_T, 0, comm);
    return found;
}

} // namespace tasks
