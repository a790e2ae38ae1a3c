// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/memory.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>

namespace sonde::mpi {

/// Address, count and datatype: the first three arguments of a point-to-point call.
struct message {
    void* data;
    int count;
    MPI_Datatype type;
};

/// Buffer whose regions are messages. Count and datatype are computed once, outside the timed loop.
template <Buffer B>
class messages {
public:
    /// Throws device_memory_unsupported; std::invalid_argument for MPI_DATATYPE_NULL, and for a type without extent and
    /// count; std::length_error for a region that is smaller than the elements.
    messages(B buffer, elements e)
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
class message_source : messages<B> {
public:
    using messages<B>::messages;
    using messages<B>::size;
    messages<B>& next() { return *this; }
};

/// Tags of the messages to and from a peer; one number sets both. On the group's communicator every tag is free except
/// 32766 and 32767, the two largest tags that every MPI library allows.
struct tags {
    int send;
    int recv;
    constexpr tags(int both = 0) : send{both}, recv{both} {}
    constexpr tags(int to_peer, int from_peer) : send{to_peer}, recv{from_peer} {}
};

/// Base class of the links: communicator, peer, tags and datatype. A negative peer is MPI_PROC_NULL. The group must
/// outlive the link.
class endpoint {
public:
    endpoint(group_ref ranks, int peer, tags tag = {}, elements datatype = {})
        : comm_{ranks.comm()}, peer_{peer < 0 ? MPI_PROC_NULL : peer}, tags_{tag}, elements_{datatype} {}

    auto send_buffer(Buffer auto buffer) const { return messages{std::move(buffer), elements_}; }
    auto recv_buffer(Buffer auto buffer) const { return messages{std::move(buffer), elements_}; }

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

} // namespace sonde::mpi
