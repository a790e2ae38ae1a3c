// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// Buffer whose regions are persistent requests, in rotation: one for each region of a buffer, and at least one for
/// each message in flight. A request that is still active at its destruction, because its wait failed, is ended
/// according to the policy. By default it is canceled, because MPI would still write into the buffer of a receive that
/// is only freed.
template <active_request_policy Policy = active_request_policy::cancel>
class persistent_requests {
public:
    explicit persistent_requests(std::size_t bytes) : bytes_{bytes} {}

    MPI_Request* add() { return requests_.add(); }
    MPI_Request* next() {
        auto* const r = requests_[at_];
        at_ = at_ + 1 == requests_.size() ? 0 : at_ + 1;
        return r;
    }
    std::size_t size() const { return bytes_; }
    std::size_t regions() const { return requests_.size(); }

private:
    std::size_t bytes_;
    std::size_t at_ = 0;
    requests<Policy> requests_;
};

/// Persistent point-to-point messages: MPI_Send_init and MPI_Recv_init when the buffers are prepared; then MPI_Start
/// and MPI_Wait for one message, or one MPI_Startall and one MPI_Waitall, both in `wait_all`, for all messages of
/// `isend` and `irecv`. Up to `depth` messages may be in flight each way.
class persistent_link : public endpoint {
public:
    persistent_link(group_ref ranks, int peer, tags tag = {}, elements datatype = {}, std::size_t depth = 1)
        : endpoint{ranks, peer, tag, datatype}, depth_{depth} {
        if (depth == 0) throw std::invalid_argument{"sonde::mpi::persistent_link: the depth must be at least 1"};
        detail::int_count(2 * depth); // requests of a wait
    }

    auto send_buffer(Buffer auto buffer) const {
        return prepare<detail::cancel_send>(std::move(buffer), tags_.send, MPI_Send_init, "MPI_Send_init");
    }
    auto recv_buffer(Buffer auto buffer) const {
        return prepare<active_request_policy::cancel>(std::move(buffer), tags_.recv, MPI_Recv_init, "MPI_Recv_init");
    }

    void send(MPI_Request* r) const { start_and_wait(r); }
    void recv(MPI_Request* r) const { start_and_wait(r); }
    void isend(MPI_Request* r) { pending_.push_back(*r); }
    void irecv(MPI_Request* r) { pending_.push_back(*r); }
    void wait_all() {
        auto const n = static_cast<int>(pending_.size());
        check(MPI_Startall(n, pending_.data()), "MPI_Startall");
        check(MPI_Waitall(n, pending_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
        pending_.clear();
    }
    /// Throws std::invalid_argument for more than the depth, because a request would then be started while it is
    /// active.
    void reserve(std::size_t n) {
        if (n > depth_)
            throw std::invalid_argument{"sonde::mpi::persistent_link: more messages in flight than its depth"};
        pending_.reserve(2 * n);
    }

private:
    template <active_request_policy Policy>
    persistent_requests<Policy> prepare(Buffer auto buffer, int tag, auto init, char const* routine) const {
        // The datatype of a large message may be freed with `prepared`: MPI keeps it until the requests are freed.
        messages prepared{std::move(buffer), elements_};
        persistent_requests<Policy> made{prepared.size()};
        for (auto n = std::max(depth_, prepared.regions()); n != 0; --n) {
            auto const m = prepared.next();
            check(init(m.data, m.count, m.type, peer_, tag, comm_, made.add()), routine);
        }
        return made;
    }
    static void start_and_wait(MPI_Request* r) {
        check(MPI_Start(r), "MPI_Start");
        check(MPI_Wait(r, MPI_STATUS_IGNORE), "MPI_Wait");
    }

    std::size_t depth_;
    std::vector<MPI_Request> pending_; // copies of handles, which stay valid: completion leaves a request inactive
};

} // namespace sonde::mpi
