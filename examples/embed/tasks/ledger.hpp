// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tasks {

/// For every task, how often it was done, and its iterations.
class ledger {
public:
    explicit ledger(std::int64_t tasks) : times_(static_cast<std::size_t>(tasks)), iterations_(times_.size()) {}

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

} // namespace tasks
