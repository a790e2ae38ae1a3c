// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

/// The application: each rank sends an array to its right neighbor and receives the array of its left neighbor.
class ring {
public:
    ring(MPI_Comm comm, int elements) : comm_{comm} {
        MPI_Comm_rank(comm, &rank_);
        MPI_Comm_size(comm, &size_);
        for (int i = 0; i != elements; ++i) mine_.push_back(rank_ * elements + i);
        theirs_.resize(mine_.size(), -1);
    }

    void exchange() {
        if (single_precision_) return exchange_as_floats();
        auto const n = static_cast<int>(mine_.size());
        MPI_Sendrecv(mine_.data(), n, MPI_DOUBLE, right(), 0, theirs_.data(), n, MPI_DOUBLE, left(), 0, comm_,
                     MPI_STATUS_IGNORE);
    }
    /// Convert the elements to float for later exchanges, which halves the bytes. All ranks must call it, or none.
    void use_single_precision() { single_precision_ = true; }
    /// True if the received elements are those of the left neighbor.
    bool correct() const {
        auto const n = mine_.size();
        for (std::size_t i = 0; i != n; ++i)
            if (theirs_[i] != static_cast<double>(static_cast<std::size_t>(left()) * n + i)) return false;
        return true;
    }

    MPI_Comm comm() const { return comm_; }
    std::size_t bytes() const { return mine_.size() * sizeof(double); } // of one array
    std::span<double> mine() { return mine_; }                          // the array to send
    std::span<double> theirs() { return theirs_; }                      // the array received
    std::vector<int> partners() const { return {left(), right()}; }     // ranks with which this rank exchanges

    /// The exchange with half the bytes, and two conversions.
    void exchange_as_floats() {
        std::vector<float> const out(mine_.begin(), mine_.end());
        std::vector<float> in(theirs_.size());
        auto const n = static_cast<int>(out.size());
        MPI_Sendrecv(out.data(), n, MPI_FLOAT, right(), 0, in.data(), n, MPI_FLOAT, left(), 0, comm_,
                     MPI_STATUS_IGNORE);
        std::copy(in.begin(), in.end(), theirs_.begin());
    }

private:
    int left() const { return (rank_ + size_ - 1) % size_; }
    int right() const { return (rank_ + 1) % size_; }

    MPI_Comm comm_;
    int rank_ = 0;
    int size_ = 1;
    bool single_precision_ = false;
    std::vector<double> mine_;
    std::vector<double> theirs_;
};
