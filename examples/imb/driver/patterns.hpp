// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/requests.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>

namespace imb {

/// Tag of IMB's messages. Receives take any tag.
constexpr int tag = 1;

/// Source of receives: the peer or MPI_ANY_SOURCE.
enum class source : unsigned char { peer, any };

/// Link to a peer: MPI_Send and MPI_Recv, or MPI_Isend and MPI_Wait. Receives are from the peer or from any source.
class sourced_link : public sonde::mpi::endpoint {
public:
    sourced_link(sonde::mpi::group const& ranks, int peer, source from, sonde::mpi::elements as)
        : endpoint{ranks, peer, {tag, MPI_ANY_TAG}, as}, source_{from == source::any ? MPI_ANY_SOURCE : peer_} {}

    void send(sonde::mpi::message const& m) const {
        sonde::mpi::check(MPI_Send(m.data, m.count, m.type, peer_, tags_.send, comm_), "MPI_Send");
    }
    void recv(sonde::mpi::message const& m) const {
        sonde::mpi::check(MPI_Recv(m.data, m.count, m.type, source_, tags_.recv, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
    }
    void isend(sonde::mpi::message const& m) {
        sonde::mpi::check(MPI_Isend(m.data, m.count, m.type, peer_, tags_.send, comm_, &request_), "MPI_Isend");
    }
    void wait() { sonde::mpi::check(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait"); }

private:
    int source_;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Links to the left and right neighbors in a ring, at a distance in ranks. In a ring of two ranks both are the other
/// rank, in a ring of one the rank itself.
class chain_link : public sonde::mpi::endpoint {
public:
    chain_link(sonde::mpi::group const& ranks, sonde::mpi::elements as, int distance = 1)
        : endpoint{ranks, (ranks.rank() + distance % ranks.size()) % ranks.size(), {tag, MPI_ANY_TAG}, as},
          left_{(ranks.rank() + ranks.size() - distance % ranks.size()) % ranks.size()} {}

    int left() const { return left_; }
    int right() const { return peer_; }

    /// MPI_Sendrecv to the right and from the left.
    void sendrecv(sonde::mpi::message const& out, sonde::mpi::message const& in) const {
        sonde::mpi::check(MPI_Sendrecv(out.data, out.count, out.type, right(), tags_.send, in.data, in.count, in.type,
                                       left(), tags_.recv, comm_, MPI_STATUS_IGNORE),
                          "MPI_Sendrecv");
    }
    void isend(int to, sonde::mpi::message const& m) {
        sonde::mpi::check(MPI_Isend(m.data, m.count, m.type, to, tags_.send, comm_, pending_.add_send()), "MPI_Isend");
    }
    void recv(int from, sonde::mpi::message const& m) const {
        sonde::mpi::check(MPI_Recv(m.data, m.count, m.type, from, tags_.recv, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
    }
    void wait_all() { pending_.wait(); }

private:
    int left_;
    sonde::mpi::requests<sonde::mpi::active_request_policy::cancel> pending_;
};

/// Adaptor of a pattern of pairs in which the times of both ranks count, because IMB prints the larger one. Each rank
/// then counts half of the traffic.
template <sonde::Pattern P>
class timed_on_both_sides : public sonde::pattern_adaptor<timed_on_both_sides<P>, P> {
public:
    explicit timed_on_both_sides(P pattern) : timed_on_both_sides::pattern_adaptor{std::move(pattern)} {}

    sonde::role role() const {
        return sonde::role_of(this->pattern_) == sonde::role::idle ? sonde::role::idle : sonde::role::initiator;
    }
    sonde::traffic traffic() const {
        auto moved = sonde::traffic_of(this->pattern_);
        moved.shared_by *= 2;
        return moved;
    }
};

/// Adaptor of a pattern in which the times of all ranks count. Idle ranks skip the pattern.
template <sonde::Pattern P>
class unless_idle : public sonde::pattern_adaptor<unless_idle<P>, P> {
public:
    unless_idle(sonde::role who, P pattern)
        : unless_idle::pattern_adaptor{std::move(pattern)}, idle_{who == sonde::role::idle} {}
    void iterate(auto& pattern) {
        if (!idle_) pattern();
    }
    sonde::role role() const { return idle_ ? sonde::role::idle : sonde::role::initiator; }

private:
    bool idle_;
};

using buffer = sonde::opaque_rotating;
using messages = sonde::mpi::message_buffer<buffer>;

/// MPI_Isend, MPI_Recv, MPI_Wait on both ranks. Each rank counts the traffic that it sends.
class ping_ping {
public:
    ping_ping(sourced_link link, buffer out, buffer in)
        : link_{link}, out_{link.send_buffer(out)}, in_{link.recv_buffer(in)} {}
    void operator()() {
        link_.isend(out_.next());
        link_.recv(in_.next());
        link_.wait();
    }
    sonde::traffic traffic() const { return {out_.size(), 1, 1}; }

private:
    sourced_link link_;
    messages out_;
    messages in_;
};

/// MPI_Sendrecv to the right and from the left. Each rank counts the traffic that it sends.
class sendrecv {
public:
    sendrecv(chain_link link, buffer out, buffer in)
        : link_{std::move(link)}, out_{link_.send_buffer(out)}, in_{link_.recv_buffer(in)} {}
    void operator()() { link_.sendrecv(out_.next(), in_.next()); }
    sonde::traffic traffic() const { return {out_.size(), 1, 1}; }

private:
    chain_link link_;
    messages out_;
    messages in_;
};

/// Buffers of the two neighbors.
struct neighbor_buffers {
    buffer left;
    buffer right;
};

/// MPI_Isend to the right and to the left, MPI_Recv from the left and from the right, wait for both sends. Each rank
/// counts the traffic that it sends.
class exchange {
public:
    exchange(chain_link link, neighbor_buffers out, neighbor_buffers in)
        : link_{std::move(link)}, to_left_{link_.send_buffer(out.left)}, to_right_{link_.send_buffer(out.right)},
          from_left_{link_.recv_buffer(in.left)}, from_right_{link_.recv_buffer(in.right)} {}
    void operator()() {
        link_.isend(link_.right(), to_right_.next());
        link_.isend(link_.left(), to_left_.next());
        link_.recv(link_.left(), from_left_.next());
        link_.recv(link_.right(), from_right_.next());
        link_.wait_all();
    }
    sonde::traffic traffic() const { return {2 * to_right_.size(), 2, 1}; }

private:
    chain_link link_;
    messages to_left_;
    messages to_right_;
    messages from_left_;
    messages from_right_;
};

/// Adaptor of a pattern of pairs: after it, the responder sends a byte to the initiator. The times of both ranks count.
template <sonde::Pattern P>
class acknowledged : public sonde::pattern_adaptor<acknowledged<P>, P> {
public:
    acknowledged(P pattern, sonde::mpi::link back, sonde::role who, sonde::slice token)
        : acknowledged::pattern_adaptor{std::move(pattern)}, back_{back}, who_{who}, token_{back.send_buffer(token)} {}
    void iterate(auto& pattern) {
        pattern();
        if (who_ == sonde::role::responder) back_.send(token_.next());
        else back_.recv(token_.next());
    }
    sonde::role role() const { return sonde::role::initiator; }

private:
    sonde::mpi::link back_;
    sonde::role who_;
    sonde::mpi::message_buffer<sonde::slice> token_;
};

} // namespace imb
