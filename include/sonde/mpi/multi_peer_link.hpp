// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// Link to several peers at once: sends go to each of them, receives come from each of them, in their order.
///
/// `isend(m)` posts one MPI_Isend for every peer, all from one region; `irecv(b)` one MPI_Irecv for every peer, each
/// into the buffer's next region (so that a `rotating` buffer of depth times peers regions keeps the messages in flight
/// distinct); `wait_all()` is one MPI_Waitall. `send` and `recv` are one MPI_Send or MPI_Recv for each peer in turn.
///
/// Nothing is sent to a negative peer, and the regions for its messages stay unchanged. A pattern counts the messages
/// of one peer: wrap it in `with_traffic` if an initiator has several peers.
class multi_peer_link : public endpoint {
public:
    multi_peer_link(group_ref ranks, std::vector<int> peers, tags tag = {}, elements datatype = {})
        : endpoint{ranks, -1, tag, datatype}, peers_{std::move(peers)} {
        for (auto& peer : peers_)
            if (peer < 0) peer = MPI_PROC_NULL;
    }

    template <Buffer B>
    message_source<B> recv_buffer(B buffer) const {
        return {std::move(buffer), elements_};
    }

    void isend(message const& m) {
        for (auto const to : peers_) isend_to(to, m, pending_.add_send());
    }
    template <Buffer B>
    void irecv(messages<B>& buffer) {
        for (auto const from : peers_) irecv_from(from, buffer.next(), pending_.add());
    }
    void wait_all() { pending_.wait(); }
    std::size_t peers() const { return peers_.size(); }
    /// Allocates requests for up to `n` messages in flight to, and `n` from, every peer.
    void reserve(std::size_t n) { pending_.reserve(n * peers_.size()); }

    void send(message const& m) const {
        for (auto const to : peers_) send_to(to, m);
    }
    template <Buffer B>
    void recv(messages<B>& buffer) const {
        for (auto const from : peers_) recv_from(from, buffer.next());
    }

private:
    std::vector<int> peers_;
    requests<active_request_policy::cancel> pending_;
};

} // namespace sonde::mpi
