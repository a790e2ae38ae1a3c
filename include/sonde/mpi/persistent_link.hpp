// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/endpoint.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/message.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// Persistent requests made once, for as many messages as may be under way and for every region of the buffer, taken in
/// turn, freed at the end. A request that is still active then (its wait failed) is cancelled first: MPI would go on
/// writing into the buffer of one that is only freed.
class persistent_requests {
public:
    explicit persistent_requests(std::size_t bytes) : bytes_{bytes} {}
    persistent_requests(persistent_requests&& other) noexcept
        : bytes_{other.bytes_}, at_{other.at_}, requests_{std::exchange(other.requests_, {})} {}
    persistent_requests& operator=(persistent_requests&&) = delete;
    ~persistent_requests() {
        for (auto& r : requests_) release(r);
    }

    MPI_Request* add() { return &requests_.emplace_back(MPI_REQUEST_NULL); }
    MPI_Request* next() {
        auto* const r = &requests_[at_];
        at_ = at_ + 1 == requests_.size() ? 0 : at_ + 1;
        return r;
    }
    std::size_t size() const { return bytes_; }
    std::size_t regions() const { return requests_.size(); }

private:
    static void release(MPI_Request& r) {
        if (r == MPI_REQUEST_NULL) return;
        int inactive = 0;
        if (MPI_Test(&r, &inactive, MPI_STATUS_IGNORE) == MPI_SUCCESS && inactive == 0) {
            MPI_Cancel(&r);
            detail::ends(r);
        }
        MPI_Request_free(&r);
    }

    std::size_t bytes_;
    std::size_t at_ = 0;
    std::vector<MPI_Request> requests_;
};

/// MPI_Send_init and MPI_Recv_init once, for `window` messages under way together; then MPI_Start and MPI_Wait for one,
/// or MPI_Startall and MPI_Waitall, both in `wait_all`, for all that were asked for.
class persistent_link : public endpoint {
public:
    persistent_link(group_ref ranks, int peer, tags marked = {}, elements as = {}, std::size_t window = 1)
        : endpoint{ranks, peer, marked, as}, window_{window} {
        if (window == 0)
            throw std::invalid_argument{"sonde::mpi::persistent_link: needs at least one message at a time"};
    }

    template <Buffer B>
    auto outgoing(B buffer) {
        return prepare(std::move(buffer), [this](message const& m, MPI_Request* r) {
            check(MPI_Send_init(m.data, m.count, m.type, peer_, tags_.send, comm_, r), "MPI_Send_init");
        });
    }
    template <Buffer B>
    auto incoming(B buffer) {
        return prepare(std::move(buffer), [this](message const& m, MPI_Request* r) {
            check(MPI_Recv_init(m.data, m.count, m.type, peer_, tags_.recv, comm_, r), "MPI_Recv_init");
        });
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
    /// Throws std::invalid_argument for more than the window: a request would be started while it is under way.
    void expect(std::size_t n) {
        if (n > window_) throw std::invalid_argument{"sonde::mpi::persistent_link: made for fewer messages at a time"};
        pending_.reserve(2 * n);
    }

private:
    template <Buffer B, class Init>
    persistent_requests prepare(B buffer, Init init) {
        // The datatype of a large message may be freed with these messages: requests keep what they use.
        messages<B> prepared{std::move(buffer), elements_};
        persistent_requests made{prepared.size()};
        auto const needed = prepared.regions() < window_ ? window_ : prepared.regions();
        for (std::size_t i = 0; i != needed; ++i) init(prepared.next(), made.add());
        return made;
    }
    static void start_and_wait(MPI_Request* r) {
        check(MPI_Start(r), "MPI_Start");
        check(MPI_Wait(r, MPI_STATUS_IGNORE), "MPI_Wait");
    }

    std::size_t window_;
    std::vector<MPI_Request> pending_; // copies of handles that stay valid: a wait leaves a persistent request inactive
};

} // namespace sonde::mpi
