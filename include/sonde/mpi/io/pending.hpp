// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace sonde::mpi::io::detail {

/// Accesses under way. MPI lets them not be cancelled: what an exception left is waited for at the end, because the
/// library still reads or writes the memory.
class pending {
public:
    pending() = default;
    pending(pending&& other) noexcept
        : requests_{std::exchange(other.requests_, {})}, statuses_{std::move(other.statuses_)},
          first_{std::exchange(other.first_, 0)} {}
    pending& operator=(pending&&) = delete;
    ~pending() { wait(); }

    void reserve(std::size_t n) {
        requests_.reserve(n);
        statuses_.reserve(n);
    }
    bool empty() const { return requests_.empty(); }
    /// Where a call puts its request.
    MPI_Request* add() {
        statuses_.emplace_back();
        return &requests_.emplace_back(MPI_REQUEST_NULL);
    }
    /// One after the other, until one is not over: MPI_Testall of requests of files ends MPICH 4.0 in an assertion.
    int test(bool& over) {
        for (over = false; first_ != requests_.size(); ++first_) {
            int one = 0;
            auto const code = MPI_Test(&requests_[first_], &one, &statuses_[first_]);
            if (code != MPI_SUCCESS) return code;
            if (one == 0) return code;
        }
        over = true;
        return MPI_SUCCESS;
    }
    /// For those that no test has found over: their statuses would be lost.
    int wait() {
        auto const left = static_cast<int>(requests_.size() - first_);
        return left == 0 ? MPI_SUCCESS : MPI_Waitall(left, requests_.data() + first_, statuses_.data() + first_);
    }

    /// Those that are over, and forgets them, also where `see` throws. Where the call that said so failed for one of
    /// them, its code is there.
    template <class See>
    void over(int code, See see) {
        struct at_end {
            pending& mine;
            ~at_end() { mine.forget(); }
        } const forgotten{*this};
        for (std::size_t i = 0; i != requests_.size(); ++i)
            see(code == MPI_ERR_IN_STATUS && i >= first_ ? statuses_[i].MPI_ERROR : code, statuses_[i]);
    }

private:
    void forget() {
        requests_.clear();
        statuses_.clear();
        first_ = 0;
    }

    std::vector<MPI_Request> requests_;
    std::vector<MPI_Status> statuses_;
    std::size_t first_ = 0; // those before are over
};

} // namespace sonde::mpi::io::detail
