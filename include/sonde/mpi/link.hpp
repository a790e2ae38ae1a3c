// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/memory.hpp>
#include <sonde/mpi/requests.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::mpi {

/// Address, count and datatype: the first three arguments of a point-to-point call.
struct message {
    void* data;        // address
    int count;         // number of elements
    MPI_Datatype type; // of an element
};

/// Buffer whose regions are messages. Count and datatype are computed once, outside the timed loop.
template <Buffer B>
class message_buffer {
public:
    /// Throws device_memory_unsupported; std::invalid_argument for MPI_DATATYPE_NULL, for a type without extent and
    /// count and for a type with bytes before the region; std::length_error for a region that is smaller than the
    /// elements.
    message_buffer(B buffer, elements e)
        : buffer_{detail::require_supported(std::move(buffer))}, layout_{detail::count_and_type_of(buffer_.size(), e)},
          bytes_{static_cast<std::size_t>(layout_.count) * detail::type_size(layout_.type)} {}
    message next() { return {buffer_.next().data(), layout_.count, layout_.type}; }
    /// Bytes of data in a message: less than its region if the elements have gaps, or do not fill the region.
    std::size_t size() const { return bytes_; }
    std::size_t regions() const { return sonde::regions(buffer_); }

private:
    B buffer_;
    detail::count_and_type layout_;
    std::size_t bytes_;
};

/// Receive buffer whose `next` returns the messages themselves, for a link that takes as many of them as it needs.
template <Buffer B>
class message_source : message_buffer<B> {
public:
    using message_buffer<B>::message_buffer;
    using message_buffer<B>::regions;
    using message_buffer<B>::size;
    message_buffer<B>& next() { return *this; }
};

/// Tags of the messages to and from a peer; one number sets both. On the group's communicator every tag is free except
/// 32766 and 32767, the two largest tags that every MPI library allows.
struct tags {
    int send; // to the peer
    int recv; // from the peer
    constexpr tags(int both = 0) : send{both}, recv{both} {}
    constexpr tags(int to_peer, int from_peer) : send{to_peer}, recv{from_peer} {}
};

namespace detail {

/// The peer for MPI's calls: MPI_PROC_NULL for `no_peer`. Throws std::invalid_argument for MPI_ANY_SOURCE, with which a
/// link would do nothing, for other negative numbers, and for a rank that the group does not have.
inline int peer_of_link(group const& ranks, int peer) {
    if (peer >= ranks.size())
        throw std::invalid_argument{"sonde::mpi: the peer of a link is " + std::to_string(peer) +
                                    ", none of the ranks 0 to " + std::to_string(ranks.size() - 1)};
    if (peer >= 0) return peer;
    if (peer == no_peer || peer == MPI_PROC_NULL) return MPI_PROC_NULL;
    if (peer == MPI_ANY_SOURCE)
        throw std::invalid_argument{
            "sonde::mpi: the peer of a link is MPI_ANY_SOURCE; mpi::any_source_link receives from "
            "any rank"};
    throw std::invalid_argument{"sonde::mpi: the peer of a link is " + std::to_string(peer) +
                                "; a rank without a peer has sonde::no_peer or MPI_PROC_NULL"};
}

/// The tags of messages on a group's communicator; to receive, also MPI_ANY_TAG. Throws std::invalid_argument for
/// negative tags and for those of the group itself. Those above MPI_TAG_UB are MPI's to refuse.
inline tags require_tags(tags all) {
    auto const is_free = [](int tag) { return tag >= 0 && tag != control_tag && tag != dissemination_tag; };
    auto const receives = is_free(all.recv) || all.recv == MPI_ANY_TAG;
    if (!is_free(all.send) || !receives)
        throw std::invalid_argument{"sonde::mpi: the tag of a message is " +
                                    std::to_string(is_free(all.send) ? all.recv : all.send) +
                                    "; it must be at least 0, and neither " + std::to_string(control_tag) + " nor " +
                                    std::to_string(dissemination_tag) + ", which are the group's"};
    return all;
}

} // namespace detail

/// Base class of the links: communicator, peer, tags and datatype. Nothing is sent to or received from the peer
/// `no_peer` or MPI_PROC_NULL. Throws std::invalid_argument for another peer that is no rank of the group, for a
/// negative tag, and for a tag of the group itself. The group must outlive the link.
class endpoint {
public:
    endpoint(group_ref ranks, int peer, tags tag = {}, elements datatype = {})
        : comm_{ranks.comm()}, peer_{detail::peer_of_link(ranks.get(), peer)}, tags_{detail::require_tags(tag)},
          elements_{datatype} {}

    auto send_buffer(Buffer auto buffer) const { return message_buffer{std::move(buffer), elements_}; }
    auto recv_buffer(Buffer auto buffer) const { return message_buffer{std::move(buffer), elements_}; }
    /// True if the link has a peer.
    bool sends() const { return peer_ != MPI_PROC_NULL; }

protected:
    void send_to(int peer, message const& m) const {
        check(MPI_Send(m.data, m.count, m.type, peer, tags_.send, comm_), "MPI_Send");
    }
    void recv_from(int peer, message const& m) const {
        check(MPI_Recv(m.data, m.count, m.type, peer, tags_.recv, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
    }
    void isend_to(int peer, message const& m, MPI_Request* r) const {
        check(MPI_Isend(m.data, m.count, m.type, peer, tags_.send, comm_, r), "MPI_Isend");
    }
    void irecv_from(int peer, message const& m, MPI_Request* r) const {
        check(MPI_Irecv(m.data, m.count, m.type, peer, tags_.recv, comm_, r), "MPI_Irecv");
    }

    MPI_Comm comm_;
    int peer_;
    tags tags_;
    elements elements_;
};

/// MPI_Send and MPI_Recv. Throws mpi::error, as all links do.
class link : public endpoint {
public:
    using endpoint::endpoint;
    void send(message const& m) const { send_to(peer_, m); }
    void recv(message const& m) const { recv_from(peer_, m); }
};

/// MPI_Ssend (synchronous mode: returns when the matching receive has started) and MPI_Recv.
class sync_link : public link {
public:
    using link::link;
    void send(message const& m) const {
        check(MPI_Ssend(m.data, m.count, m.type, peer_, tags_.send, comm_), "MPI_Ssend");
    }
};

/// MPI_Isend, MPI_Irecv, and one MPI_Waitall for all of them.
///
/// `wait_all` throws the error of a message in flight if the MPI library returns it. MPICH raises the error on
/// MPI_COMM_WORLD instead, whose error handler belongs to the application and by default ends the job.
class async_link : public endpoint {
public:
    using endpoint::endpoint;
    void isend(message const& m) { isend_to(peer_, m, pending_.add_send()); }
    void irecv(message const& m) { irecv_from(peer_, m, pending_.add()); }
    void wait_all() { pending_.wait(); }
    /// Allocates requests for up to `n` messages in flight each way.
    void reserve(std::size_t n) { pending_.reserve(n); }

protected:
    requests<active_request_policy::cancel> pending_;
};

/// Link to several peers at once: sends go to each of them, receives come from each of them, in their order.
///
/// `isend(m)` posts one MPI_Isend for every peer, all from one region; `irecv(b)` one MPI_Irecv for every peer, each
/// into the buffer's next region (so that a `rotating` buffer of depth times peers regions keeps the messages in flight
/// distinct); `wait_all()` is one MPI_Waitall. `send` and `recv` are one MPI_Send or MPI_Recv for each peer in turn.
///
/// Nothing is sent to a peer `no_peer` or MPI_PROC_NULL, and the regions for its messages stay unchanged. A pattern
/// counts the messages of one peer: wrap it in `with_traffic` if an initiator has several peers.
class multi_peer_link : public endpoint {
public:
    multi_peer_link(group_ref ranks, std::vector<int> peers, tags tag = {}, elements datatype = {})
        : endpoint{ranks, no_peer, tag, datatype}, peers_{std::move(peers)} {
        for (auto& peer : peers_) peer = detail::peer_of_link(ranks.get(), peer);
    }

    template <Buffer B>
    message_source<B> recv_buffer(B buffer) const {
        return {std::move(buffer), elements_};
    }

    void isend(message const& m) {
        for (auto const to : peers_) isend_to(to, m, pending_.add_send());
    }
    template <Buffer B>
    void irecv(message_buffer<B>& buffer) {
        for (auto const from : peers_) irecv_from(from, buffer.next(), pending_.add());
    }
    void wait_all() { pending_.wait(); }
    /// True if there is a peer.
    bool sends() const {
        for (auto const peer : peers_)
            if (peer != MPI_PROC_NULL) return true;
        return false;
    }
    std::size_t peers() const { return peers_.size(); }
    /// Allocates requests for up to `n` messages in flight to, and `n` from, every peer.
    void reserve(std::size_t n) { pending_.reserve(n * peers_.size()); }

    void send(message const& m) const {
        for (auto const to : peers_) send_to(to, m);
    }
    template <Buffer B>
    void recv(message_buffer<B>& buffer) const {
        for (auto const from : peers_) recv_from(from, buffer.next());
    }

private:
    std::vector<int> peers_;
    requests<active_request_policy::cancel> pending_;
};

/// Buffer whose regions are persistent requests, in rotation: one for each region of a buffer, and at least one for
/// each message in flight. A request that is still active at its destruction, because its wait failed, is ended
/// according to the policy. By default it is canceled, because MPI would still write into the buffer of a receive that
/// is only freed.
template <active_request_policy Policy = active_request_policy::cancel>
class persistent_requests {
public:
    explicit persistent_requests(std::size_t bytes) : bytes_{bytes} {}

    /// A new request, which is null.
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
        message_buffer prepared{std::move(buffer), elements_};
        persistent_requests<Policy> made{prepared.size()};
        auto const regions = prepared.regions();
        for (auto n = depth_ < regions ? regions : depth_; n != 0; --n) {
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
