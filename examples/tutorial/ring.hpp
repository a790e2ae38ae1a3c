// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

/// The application of the tutorial: every rank passes an array to its right neighbour. It knows nothing of Sonde.
class ring {
public:
    ring(MPI_Comm comm, int n) : comm_{comm} {
        MPI_Comm_rank(comm, &rank_);
        MPI_Comm_size(comm, &size_);
        for (int i = 0; i != n; ++i) mine_.push_back(rank_ * n + i);
        theirs_.resize(mine_.size(), -1);
    }

    void exchange() {
        auto const n = static_cast<int>(mine_.size());
        MPI_Sendrecv(mine_.data(), n, MPI_DOUBLE, (rank_ + 1) % size_, 0, theirs_.data(), n, MPI_DOUBLE, left(), 0,
                     comm_, MPI_STATUS_IGNORE);
    }

    /// Is every element that of the left neighbour?
    bool right() const {
        auto const n = mine_.size();
        for (std::size_t i = 0; i != n; ++i)
            if (theirs_[i] != static_cast<double>(static_cast<std::size_t>(left()) * n + i)) return false;
        return true;
    }

    MPI_Comm comm() const { return comm_; }
    std::size_t bytes() const { return mine_.size() * sizeof(double); }
    std::span<double> mine() { return mine_; }
    std::span<double> theirs() { return theirs_; }

private:
    int left() const { return (rank_ + size_ - 1) % size_; }

    MPI_Comm comm_;
    int rank_ = 0;
    int size_ = 1;
    std::vector<double> mine_;
    std::vector<double> theirs_;
};
