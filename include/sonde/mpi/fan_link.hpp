// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/endpoint.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/message.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// A buffer that several peers' messages are received into: the next region for each of them.
template <Buffer B>
class region_each {
public:
    region_each(B buffer, elements e) : messages_{std::move(buffer), e} {}
    messages<B>& next() { return messages_; }
    std::size_t size() const { return messages_.size(); }

private:
    messages<B> messages_;
};

/// A link to several peers at once: what is sent goes to each of them, what is received comes from each, in their
/// order.
///
/// `isend(r)` posts one MPI_Isend for every peer, all from one region; `irecv(r)` one MPI_Irecv for every peer, each
/// into the buffer's next region (so that a `rotating` buffer of W times peers regions keeps a window's messages
/// apart); `wait_all()` is one MPI_Waitall. `send` and `recv` are one MPI_Send or MPI_Recv for every peer in turn.
///
/// A negative peer is nobody, as for other links: its messages are sent nowhere, and the regions that it would have
/// filled stay as they are. The group must outlive the link.
///
/// A pattern counts the messages of one peer: wrap it in `moving` where an initiator has several.
class fan_link : public endpoint {
public:
    fan_link(group_ref ranks, std::vector<int> peers, tags marked = {}, elements as = {})
        : endpoint{ranks, -1, marked, as}, peers_{std::move(peers)} {
        // MPI_PROC_NULL, MPI_ANY_SOURCE and MPI_UNDEFINED differ between libraries.
        for (auto& peer : peers_)
            if (peer < 0) peer = MPI_PROC_NULL;
    }

    template <Buffer B>
    region_each<B> incoming(B buffer) const {
        return {std::move(buffer), elements_};
    }

    void isend(message const& m) {
        for (auto const to : peers_)
            check(MPI_Isend(m.data, m.count, m.type, to, tags_.send, comm_, pending_.add()), "MPI_Isend");
    }
    template <Buffer B>
    void irecv(messages<B>& each) {
        for (auto const from : peers_) {
            auto const m = each.next();
            check(MPI_Irecv(m.data, m.count, m.type, from, tags_.recv, comm_, pending_.add()), "MPI_Irecv");
        }
    }
    void wait_all() { pending_.wait(); }
    std::size_t peers() const { return peers_.size(); }
    /// Up to n messages to, and n from, every peer under way.
    void expect(std::size_t n) { pending_.reserve(2 * n * peers_.size()); }

    void send(message const& m) const {
        for (auto const to : peers_) check(MPI_Send(m.data, m.count, m.type, to, tags_.send, comm_), "MPI_Send");
    }
    template <Buffer B>
    void recv(messages<B>& each) const {
        for (auto const from : peers_) {
            auto const m = each.next();
            check(MPI_Recv(m.data, m.count, m.type, from, tags_.recv, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
        }
    }

private:
    std::vector<int> peers_;
    requests pending_;
};

} // namespace sonde::mpi
