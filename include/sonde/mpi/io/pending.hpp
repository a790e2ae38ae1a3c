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
        : requests_{std::exchange(other.requests_, {})}, statuses_{std::move(other.statuses_)} {}
    pending& operator=(pending&&) = delete;
    ~pending() { MPI_Waitall(count(), requests_.data(), statuses_.data()); }

    void reserve(std::size_t n) {
        requests_.reserve(n);
        statuses_.reserve(n);
    }
    /// Where a call puts its request.
    MPI_Request* add() {
        if (requests_.empty()) statuses_.clear();
        statuses_.emplace_back();
        return &requests_.emplace_back(MPI_REQUEST_NULL);
    }
    bool empty() const { return requests_.empty(); }
    int test(int& over) { return MPI_Testall(count(), requests_.data(), &over, statuses_.data()); }
    int wait() { return MPI_Waitall(count(), requests_.data(), statuses_.data()); }

    /// Those that are over, and forgets them. Where the call that said so failed for one of them, its code is there.
    template <class See>
    void over(int code, See see) {
        auto const failed = code == MPI_ERR_IN_STATUS;
        requests_.clear(); // first: what is seen may be thrown
        for (auto const& s : statuses_) see(failed ? s.MPI_ERROR : code, s);
        statuses_.clear();
    }

private:
    int count() const { return static_cast<int>(requests_.size()); }

    std::vector<MPI_Request> requests_;
    std::vector<MPI_Status> statuses_;
};

} // namespace sonde::mpi::io::detail
