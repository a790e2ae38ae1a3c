// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::mpi {

/// How a request ends if its owner is destroyed while the operation is active, because an exception came before the
/// wait.
enum class active_request_policy : unsigned char {
    /// Point-to-point messages: MPI_Cancel of receives, and of sends before MPI 4.0. With MPI 4.0, which deprecates
    /// MPI_Cancel of sends, a send is freed and may still read its buffer.
    cancel,
    /// Sends: MPI_Request_free.
    free,
    /// One-sided operations (MPI 3.1, 11.3) and file access: MPI allows neither canceling nor freeing them. Until they
    /// complete, the library uses memory of the application, which the application may free next. In a library without
    /// a progress thread they complete when the target next calls MPI.
    wait,
    /// Collectives and partitioned messages: MPI allows neither canceling nor freeing them, and the other ranks may
    /// never take part.
    leak
};

namespace detail {

/// True if the request completes within 1,000 tests. The number is limited because the peer may never take part.
inline bool completes_soon(MPI_Request* request) {
    int complete = 0;
    for (int i = 0; i != 1000 && complete == 0; ++i) MPI_Test(request, &complete, MPI_STATUS_IGNORE);
    return complete != 0;
}

/// Ends a request, persistent or not, for a destructor: errors are ignored.
template <active_request_policy Policy>
void release(MPI_Request* request) {
    if (*request == MPI_REQUEST_NULL) return;
    if constexpr (Policy == active_request_policy::wait) MPI_Wait(request, MPI_STATUS_IGNORE);
    if constexpr (Policy == active_request_policy::leak)
        if (completes_soon(request) && *request != MPI_REQUEST_NULL) MPI_Request_free(request); // persistent
    if constexpr (Policy == active_request_policy::cancel || Policy == active_request_policy::free) {
        int inactive = 0;
        if (MPI_Test(request, &inactive, MPI_STATUS_IGNORE) == MPI_SUCCESS && inactive == 0) {
            if constexpr (Policy == active_request_policy::cancel) MPI_Cancel(request);
            completes_soon(request);
        }
        if (*request != MPI_REQUEST_NULL) MPI_Request_free(request);
    }
}

/// The policy that a send uses in place of `cancel`.
inline constexpr auto cancel_send = MPI_VERSION >= 4 ? active_request_policy::free : active_request_policy::cancel;

} // namespace detail

/// Owner of several requests in one array, so that MPI_Waitall takes all of them. The array grows from its middle to
/// both sides, which tells the destructor which requests are sends, since MPI 4.0 cancels receives only:
///
///     |  free  | sends, latest first | other requests, latest last |  free  |
///     slots_   first_                middle_                       last_    end_
template <active_request_policy Policy>
class requests {
public:
    requests() = default;
    requests(requests&& other) noexcept
        : slots_{std::move(other.slots_)}, first_{std::exchange(other.first_, nullptr)},
          middle_{std::exchange(other.middle_, nullptr)}, last_{std::exchange(other.last_, nullptr)},
          end_{std::exchange(other.end_, nullptr)} {
        other.slots_.clear();
    }
    requests& operator=(requests&&) = delete;
    ~requests() {
        constexpr auto of_send = Policy == active_request_policy::cancel ? detail::cancel_send : Policy;
        for (auto* r = first_; r != middle_; ++r) detail::release<of_send>(r);
        for (auto* r = middle_; r != last_; ++r) detail::release<Policy>(r);
    }

    /// Address of a new handle, for the call that makes the request; valid until the next `add` or `add_send`.
    MPI_Request* add() {
        if (last_ == end_) [[unlikely]]
            grow();
        *last_ = MPI_REQUEST_NULL;
        return last_++;
    }
    /// The same for a send.
    MPI_Request* add_send() {
        if (first_ == slots_.data()) [[unlikely]]
            grow();
        *--first_ = MPI_REQUEST_NULL;
        return first_;
    }
    /// Address of request i.
    MPI_Request* operator[](std::size_t i) { return first_ + i; }
    /// Number of requests.
    std::size_t size() const { return static_cast<std::size_t>(last_ - first_); }
    /// Allocates for n sends and n others. Throws std::length_error for more requests than MPI_Waitall counts, INT_MAX.
    void reserve(std::size_t n) {
        detail::int_count(2 * n);
        if (2 * n > slots_.size()) make_room(n);
    }
    /// Forgets the handle of the last `add`, whose call failed.
    void pop_back() { --last_; }
    /// Forgets all handles. The requests are complete.
    void clear() { first_ = last_ = middle_; }

    /// Waits for all requests (MPI_Waitall), then forgets them. Throws mpi::error, and then keeps them.
    void wait() {
        check(MPI_Waitall(static_cast<int>(last_ - first_), first_, MPI_STATUSES_IGNORE), "MPI_Waitall");
        clear();
    }

private:
    [[gnu::cold, gnu::noinline]] void grow() { make_room(slots_.empty() ? 4 : slots_.size()); }
    /// Moves the handles to a new array with n slots on each side of its middle.
    void make_room(std::size_t n) {
        std::vector<MPI_Request> slots(2 * n, MPI_REQUEST_NULL);
        auto* const middle = slots.data() + n;
        for (auto* handle = first_; handle != last_; ++handle) middle[handle - middle_] = *handle;
        first_ = middle + (first_ - middle_);
        last_ = middle + (last_ - middle_);
        middle_ = middle;
        end_ = slots.data() + slots.size();
        slots_.swap(slots);
    }

    std::vector<MPI_Request> slots_;
    MPI_Request *first_ = nullptr, *middle_ = nullptr, *last_ = nullptr, *end_ = nullptr;
};

} // namespace sonde::mpi
