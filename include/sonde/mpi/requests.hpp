// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace sonde::mpi {

/// End of a request whose owner is destroyed while the operation is active, because an exception came before its wait.
enum class if_active : unsigned char {
    /// Point-to-point messages: MPI_Cancel. A send that the library does not cancel is freed, and may still read its
    /// buffer.
    cancel,
    /// One-sided operations (MPI 3.1, 11.3) and file access: MPI allows neither to cancel nor to free them, and until
    /// they complete the library uses memory of the application, which may be freed next. In a library without a
    /// progress thread they complete when the target next calls MPI.
    wait,
    /// Collectives and partitioned messages: MPI allows neither to cancel nor to free them, and the other ranks may
    /// never take part.
    leak
};

namespace detail {

/// True if the request completes within 1,000 tests: the peer may never take part.
inline bool completes_soon(MPI_Request* request) {
    int complete = 0;
    for (int i = 0; i != 1000 && complete == 0; ++i) MPI_Test(request, &complete, MPI_STATUS_IGNORE);
    return complete != 0;
}

/// Ends a request, persistent or not, for a destructor: errors are ignored.
template <if_active Policy>
void release(MPI_Request* request) {
    if (*request == MPI_REQUEST_NULL) return;
    if constexpr (Policy == if_active::wait) MPI_Wait(request, MPI_STATUS_IGNORE);
    if constexpr (Policy == if_active::leak)
        if (completes_soon(request) && *request != MPI_REQUEST_NULL) MPI_Request_free(request); // persistent
    if constexpr (Policy == if_active::cancel) {
        int inactive = 0;
        if (MPI_Test(request, &inactive, MPI_STATUS_IGNORE) == MPI_SUCCESS && inactive == 0) {
            MPI_Cancel(request);
            completes_soon(request);
        }
        if (*request != MPI_REQUEST_NULL) MPI_Request_free(request);
    }
}

} // namespace detail

/// Owner of several requests, in one array.
template <if_active Policy>
class requests {
public:
    requests() = default;
    requests(requests&&) noexcept = default; // leaves the other one empty
    requests& operator=(requests&&) = delete;
    ~requests() {
        for (auto& r : handles_) detail::release<Policy>(&r);
    }

    /// Address of a new handle, for the call that makes the request; valid until the next `add`.
    MPI_Request* add() { return &handles_.emplace_back(MPI_REQUEST_NULL); }
    MPI_Request* operator[](std::size_t i) { return &handles_[i]; }
    std::size_t size() const { return handles_.size(); }
    /// Throws std::length_error for more requests than MPI_Waitall counts, INT_MAX.
    void reserve(std::size_t n) { handles_.reserve(static_cast<std::size_t>(detail::int_count(n))); }
    /// Forgets the handle of the last `add`, whose call failed.
    void pop_back() { handles_.pop_back(); }
    /// Forgets all handles. The requests are complete.
    void clear() { handles_.clear(); }

    /// Waits for all requests (MPI_Waitall), then forgets them. Throws mpi::error, and then keeps them.
    void wait() {
        check(MPI_Waitall(static_cast<int>(handles_.size()), handles_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
        handles_.clear();
    }

private:
    std::vector<MPI_Request> handles_;
};

} // namespace sonde::mpi
