// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <climits>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// Memory that is attached to MPI for buffered sends (MPI_Buffer_attach). A process has one at most. The destructor
/// waits until all buffered messages are delivered.
class attached_buffer {
public:
    /// Room for n messages of `bytes` in flight. Throws std::logic_error while another one is attached, before MPI_Init
    /// and after MPI_Finalize; std::length_error for more than 2^31 - 1 bytes in all.
    explicit attached_buffer(std::size_t bytes, std::size_t n = 1) : memory_(size_for(bytes, n)) {
        detail::require_running(false);
        if (attached) throw std::logic_error{"sonde::mpi::attached_buffer: another buffer is attached"};
        check(MPI_Buffer_attach(memory_.data(), static_cast<int>(memory_.size())), "MPI_Buffer_attach");
        attached = true;
    }
    attached_buffer(attached_buffer&&) = delete;
    ~attached_buffer() {
        void* address = nullptr;
        int bytes = 0;
        if (detail::not_running_reason(false) == nullptr) MPI_Buffer_detach(&address, &bytes);
        attached = false;
    }

private:
    static std::size_t size_for(std::size_t bytes, std::size_t n) {
        constexpr std::size_t most = INT_MAX, overhead = MPI_BSEND_OVERHEAD, alignment = 8; // MPICH aligns each message
        auto const each = bytes < most ? (bytes + alignment - 1) / alignment * alignment + overhead : most + 1;
        if (n != 0 && each > most / n)
            throw std::length_error{"sonde::mpi::attached_buffer: MPI takes at most 2^31 - 1 bytes"};
        return n * each;
    }
    static inline bool attached = false;

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
/// that it is there before the peer learns, by the next message, that it may send. The ranks need a barrier between
/// the making of the pattern and its first iteration; `run` and `compare` begin with one. The destructor cancels the
/// last receive.
///
/// No other pattern that lives at the same time may use the tag between these ranks: the pending receive would take its
/// messages. The receive buffer belongs to MPI also between iterations, so that no adaptor may read or write it.
class ready_link : public endpoint {
public:
    ready_link(group_ref ranks, int peer, tags tag, elements datatype = {}) : endpoint{ranks, peer, tag, datatype} {}

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
