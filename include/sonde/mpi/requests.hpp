// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace sonde::mpi {

namespace detail {

/// Is a request given up soon over? Asked a thousand times, not for ever: the other side may never come.
inline bool ends(MPI_Request& request) {
    int over = 0;
    for (int i = 0; i != 1000 && over == 0; ++i) MPI_Test(&request, &over, MPI_STATUS_IGNORE);
    return over != 0;
}

} // namespace detail

/// Requests under way. None is left behind: what was not waited for (an exception came first) is cancelled and freed.
/// A receive is over then, and its buffer free; a send that the library does not cancel may still read its own.
class requests {
public:
    requests() = default;
    requests(requests&& other) noexcept : requests_{std::exchange(other.requests_, {})} {}
    requests& operator=(requests&&) = delete;
    ~requests() {
        for (auto& r : requests_) release(r);
    }

    /// Where a call puts its request.
    MPI_Request* add() { return &requests_.emplace_back(MPI_REQUEST_NULL); }
    void reserve(std::size_t n) { requests_.reserve(n); }
    void wait() {
        check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
        requests_.clear();
    }

private:
    static void release(MPI_Request& r) {
        if (r == MPI_REQUEST_NULL) return;
        MPI_Cancel(&r);
        if (!detail::ends(r)) MPI_Request_free(&r);
    }

    std::vector<MPI_Request> requests_;
};

} // namespace sonde::mpi
