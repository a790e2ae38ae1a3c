// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

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
    /// `call` puts its request where it is told; one that fails has begun nothing.
    template <class Call>
    int begin(Call call) {
        statuses_.emplace_back();
        auto const code = call(&requests_.emplace_back(MPI_REQUEST_NULL));
        if (code != MPI_SUCCESS) [[unlikely]] {
            requests_.pop_back();
            statuses_.pop_back();
        }
        return code;
    }
    /// One after the other, until one is not over: MPI_Testall of requests of files ends MPICH 4.0 in an assertion.
    bool test() {
        for (; first_ != requests_.size(); ++first_) {
            int over = 0;
            auto& of = statuses_[first_];
            auto const code = MPI_Test(&requests_[first_], &over, &of);
            if (code == MPI_SUCCESS && over == 0) return false;
            of.MPI_ERROR = code;
        }
        return true;
    }
    /// For those that no test has found over: their statuses would be lost. One that fails may leave others under way.
    void wait() {
        if (first_ == requests_.size()) return;
        auto const left = static_cast<int>(requests_.size() - first_);
        auto const code = MPI_Waitall(left, requests_.data() + first_, statuses_.data() + first_);
        for (; first_ != requests_.size(); ++first_) {
            auto& of = statuses_[first_];
            if (code != MPI_ERR_IN_STATUS) of.MPI_ERROR = code;
            else if (of.MPI_ERROR == MPI_ERR_PENDING) of.MPI_ERROR = MPI_Wait(&requests_[first_], &of);
        }
    }

    /// Those that are over, each with the code of its own, and forgets them, also where `see` throws.
    template <class See>
    void over(See see) {
        struct at_end {
            pending& mine;
            ~at_end() { mine.forget(); }
        } const forgotten{*this};
        for (std::size_t i = 0; i != requests_.size(); ++i) see(statuses_[i].MPI_ERROR, statuses_[i]);
    }

private:
    void forget() {
        requests_.clear();
        statuses_.clear();
        first_ = 0;
    }

    std::vector<MPI_Request> requests_;
    std::vector<MPI_Status> statuses_;
    std::size_t first_ = 0; // those before are over, their codes in their statuses
};

} // namespace sonde::mpi::io::detail
