// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// Memory that is attached to MPI for buffered sends (MPI_Buffer_attach). A process has one at most: the constructor
/// throws mpi::error while another one is attached. The destructor waits until all buffered messages are delivered.
class attached_buffer {
public:
    /// Room for n messages of `bytes` in flight. Throws std::length_error for more than 2^31 - 1 bytes in all.
    explicit attached_buffer(std::size_t bytes, std::size_t n = 1) : memory_(n * (bytes + MPI_BSEND_OVERHEAD)) {
        check(MPI_Buffer_attach(memory_.data(), detail::int_count(memory_.size())), "MPI_Buffer_attach");
    }
    attached_buffer(attached_buffer&&) = delete;
    ~attached_buffer() {
        void* address = nullptr;
        int bytes = 0;
        MPI_Buffer_detach(&address, &bytes);
    }

private:
    std::vector<std::byte> memory_;
};

/// MPI_Bsend (buffered mode: copies the message and returns) and MPI_Recv. An `attached_buffer` has room for the
/// messages; without room MPI_Bsend fails, and `send` throws mpi::error.
class buffered_link : public link {
public:
    using link::link;
    void send(message const& m) const {
        check(MPI_Bsend(m.data, m.count, m.type, peer_, tags_.send, comm_), "MPI_Bsend");
    }
};

/// Receive buffer of a `ready_link`, whose next region is that of a receive to come.
template <Buffer B>
class posted_messages : messages<B> {
public:
    explicit posted_messages(messages<B> all) : messages<B>{std::move(all)} {}
    using messages<B>::regions;
    using messages<B>::size;
    messages<B>& next() { return *this; }
};

/// MPI_Rsend (ready mode: the matching receive has been started) for a `ping_pong`, whose sends and receives alternate.
///
/// A receive is always pending: `recv_buffer` starts the first one, and `recv` waits for it and starts the next one, so
/// that it is there before the peer learns, by the next message, that it may send. The first message needs a barrier
/// after the patterns of both ranks are made: any synchronizer but `no_sync`. The destructor cancels the last receive.
class ready_link : public endpoint {
public:
    using endpoint::endpoint;

    template <Buffer B>
    posted_messages<B> recv_buffer(B buffer) {
        messages prepared{std::move(buffer), elements_};
        start(prepared);
        return posted_messages<B>{std::move(prepared)};
    }
    void send(message const& m) const {
        check(MPI_Rsend(m.data, m.count, m.type, peer_, tags_.send, comm_), "MPI_Rsend");
    }
    template <Buffer B>
    void recv(messages<B>& buffer) {
        pending_.wait();
        start(buffer);
    }

private:
    template <Buffer B>
    void start(messages<B>& buffer) {
        irecv_from(peer_, buffer.next(), pending_.add());
    }

    requests<if_active::cancel> pending_;
};

} // namespace sonde::mpi
