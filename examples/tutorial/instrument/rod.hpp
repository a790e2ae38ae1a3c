// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "measuring.hpp"

#include <mpi.h>

#include <cstddef>
#include <vector>

/// The application: temperatures along a rod that is distributed over the ranks. Each rank has a copy of a cell of
/// either neighbor, and the heat of the nodes that it shares with either neighbor.
class rod {
public:
    static constexpr int shared = 512; // nodes at either end

    rod(MPI_Comm comm, std::size_t cells, measuring& m)
        : comm_{comm}, measured_{m}, now_(cells + 2, 1.0), next_{now_}, heat_(2 * shared, 1.0), theirs_(2 * shared) {
        int rank = 0, size = 0;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        if (rank != 0) left_ = rank - 1;
        if (rank + 1 != size) right_ = rank + 1;
    }

    void step() {
        measured_.begin(phase::step);
        post(); // the halo is on its way until `wait`
        measured_.begin(phase::inner);
        smooth(2, now_.size() - 2);
        measured_.end(phase::inner);
        wait();
        measured_.begin(phase::edges);
        smooth(1, 2);
        smooth(now_.size() - 2, now_.size() - 1);
        measured_.end(phase::edges);
        now_.swap(next_);
        measured_.end(phase::step);
    }
    // [sum]
    /// Add the contributions of both neighbors to the heat of the shared nodes.
    void sum_heat() {
        exchange(heat_.data(), heat_.data() + shared, theirs_.data(), theirs_.data() + shared, shared);
        MPI_Waitall(4, requests_, MPI_STATUSES_IGNORE);
        for (std::size_t i = 0; i != heat_.size(); ++i) heat_[i] += theirs_[i];
    }
    // [/sum]

    std::vector<double>& heat() { return heat_; }
    std::size_t neighbors() const { return (left_ != MPI_PROC_NULL ? 1u : 0u) + (right_ != MPI_PROC_NULL ? 1u : 0u); }
    double middle() const { return now_[now_.size() / 2]; }

private:
    // [split]
    void post() {
        measured_.begin(phase::halo);
        exchange(&now_[1], &now_[now_.size() - 2], &now_.front(), &now_.back(), 1);
    }
    void wait() {
        MPI_Waitall(4, requests_, MPI_STATUSES_IGNORE);
        measured_.end(phase::halo);
    }
    // [/split]

    void exchange(double* to_left, double* to_right, double* from_left, double* from_right, int n) {
        MPI_Irecv(from_left, n, MPI_DOUBLE, left_, 0, comm_, &requests_[0]);
        MPI_Irecv(from_right, n, MPI_DOUBLE, right_, 1, comm_, &requests_[1]);
        MPI_Isend(to_left, n, MPI_DOUBLE, left_, 1, comm_, &requests_[2]);
        MPI_Isend(to_right, n, MPI_DOUBLE, right_, 0, comm_, &requests_[3]);
    }
    void smooth(std::size_t begin, std::size_t end) {
        for (auto i = begin; i != end; ++i) next_[i] = 0.25 * now_[i - 1] + 0.5 * now_[i] + 0.25 * now_[i + 1];
    }

    MPI_Comm comm_;
    measuring& measured_;
    int left_ = MPI_PROC_NULL, right_ = MPI_PROC_NULL;
    std::vector<double> now_, next_, heat_, theirs_;
    MPI_Request requests_[4] = {};
};
