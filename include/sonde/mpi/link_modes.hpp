// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/hints.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/memory.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <atomic>
#include <climits>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::mpi {

/// Memory that is attached to MPI for buffered sends (MPI_Buffer_attach). MPI allows one such buffer per process; if
/// two threads make one at the same time, one of the threads gets the exception. The destructor waits until all
/// buffered messages are delivered.
class attached_buffer {
public:
    /// Room for n messages of `bytes` in flight. Throws std::logic_error while another buffer is attached, before
    /// MPI_Init and after MPI_Finalize; std::length_error for more than 2^31 - 1 bytes in all.
    explicit attached_buffer(std::size_t bytes, std::size_t n = 1) : memory_(size_for(bytes, n)) {
        detail::require_running(false);
        if (attached.exchange(true)) throw std::logic_error{"sonde::mpi::attached_buffer: another buffer is attached"};
        auto const code = MPI_Buffer_attach(memory_.data(), static_cast<int>(memory_.size()));
        if (code != MPI_SUCCESS) attached = false;
        check(code, "MPI_Buffer_attach");
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
    static inline std::atomic<bool> attached = false;

    std::vector<std::byte> memory_;
};

/// MPI_Bsend (buffered mode: copies the message and returns) and MPI_Recv. The messages need room in an
/// `attached_buffer`; without it MPI_Bsend fails, and `send` throws mpi::error.
class buffered_link : public link {
public:
    using link::link;
    void send(message const& m) const {
        check(MPI_Bsend(m.data, m.count, m.type, peer_, tags_.send, comm_), "MPI_Bsend");
    }
};

/// MPI_Rsend (ready mode: the matching receive has been started) for a `ping_pong`, whose sends and receives alternate.
///
/// A receive is always pending. `recv_buffer` starts the first receive; `recv` waits for a receive and starts the next.
/// The next receive is therefore pending before the next message tells the peer that it may send. The ranks need a
/// barrier between the construction of the pattern and its first iteration; `run` and `compare` begin with a reduction,
/// which is one. The destructor cancels the last receive.
///
/// No other pattern that lives at the same time may use the tag between these ranks, because the pending receive would
/// take its messages. The receive buffer belongs to MPI between iterations as well, so no adaptor may read or write it.
class ready_link : public endpoint {
public:
    ready_link(group_ref ranks, int peer, tags tag, elements datatype = {}) : endpoint{ranks, peer, tag, datatype} {}

    template <Buffer B>
    message_source<B> recv_buffer(B buffer) {
        message_source<B> prepared{std::move(buffer), elements_};
        start(prepared.next());
        return prepared;
    }
    void send(message const& m) const {
        check(MPI_Rsend(m.data, m.count, m.type, peer_, tags_.send, comm_), "MPI_Rsend");
    }
    template <Buffer B>
    void recv(message_buffer<B>& buffer) {
        pending_.wait();
        start(buffer);
    }

private:
    template <Buffer B>
    void start(message_buffer<B>& buffer) {
        irecv_from(peer_, buffer.next(), pending_.add());
    }

    requests<active_request_policy::cancel> pending_;
};

/// Messages to a peer, and receives from any rank (MPI_ANY_SOURCE) with the link's tag: MPI_Send and MPI_Recv, or
/// MPI_Isend, MPI_Irecv and one MPI_Waitall. A comparison with `link` and `async_link` shows the cost of the wildcard.
/// Throws std::invalid_argument for a communicator whose hints exclude such receives.
class any_source_link : public async_link {
public:
    any_source_link(group_ref ranks, int peer, tags tag = {}, elements datatype = {})
        : async_link{ranks, peer, tag, datatype} {
        detail::owned_handle<MPI_Info> info{MPI_INFO_NULL, MPI_Info_free};
        check(MPI_Comm_get_info(comm_, info.address()), "MPI_Comm_get_info");
        if (detail::hint_in(info.get(), "mpi_assert_no_any_source") == "true")
            throw std::invalid_argument{"sonde::mpi::any_source_link: the communicator has the hint "
                                        "mpi_assert_no_any_source"};
    }
    void send(message const& m) const { send_to(peer_, m); }
    void recv(message const& m) const { recv_from(source(), m); }
    void irecv(message const& m) { irecv_from(source(), m, pending_.add()); }

private:
    /// A link without a peer receives nothing.
    int source() const { return peer_ == MPI_PROC_NULL ? MPI_PROC_NULL : MPI_ANY_SOURCE; }
};

/// MPI_Send, and receives for messages of unknown length, as in many applications: MPI_Mprobe, MPI_Get_count, and
/// MPI_Mrecv of as many elements as have arrived. `recv` throws mpi::error for a message that is longer than its
/// region.
class mprobe_link : public link {
public:
    using link::link;
    void recv(message const& m) const {
        MPI_Message found = MPI_MESSAGE_NULL;
        MPI_Status status;
        int count = 0;
        check(MPI_Mprobe(peer_, tags_.recv, comm_, &found, &status), "MPI_Mprobe");
        check(MPI_Get_count(&status, m.type, &count), "MPI_Get_count");
        if (count == MPI_UNDEFINED || count > m.count) [[unlikely]]
            refuse(found, status);
        check(MPI_Mrecv(m.data, count, m.type, &found, MPI_STATUS_IGNORE), "MPI_Mrecv");
    }

private:
    /// Receives a message that is too long into other memory, because MPICH ends the job if MPI_Mrecv truncates it.
    [[noreturn, gnu::cold, gnu::noinline]] static void refuse(MPI_Message& found, MPI_Status const& status) {
        int bytes = 0;
        check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
        std::vector<std::byte> elsewhere(static_cast<std::size_t>(bytes < 0 ? 0 : bytes));
        if (bytes >= 0) check(MPI_Mrecv(elsewhere.data(), bytes, MPI_BYTE, &found, MPI_STATUS_IGNORE), "MPI_Mrecv");
        detail::throw_error("MPI_Mrecv", MPI_ERR_TRUNCATE);
    }
};

/// Address, count and datatype of a message of any length.
struct large_message {
    void* data;        // address
    MPI_Count count;   // number of elements
    MPI_Datatype type; // of an element
};

/// Buffer whose regions are messages. A message has as many elements as its region holds; the number may exceed an int.
template <Buffer B>
class large_message_buffer {
public:
    /// Throws device_memory_unsupported; std::invalid_argument for MPI_DATATYPE_NULL, and for a type without extent;
    /// std::length_error for a region that is not empty but smaller than one element.
    large_message_buffer(B buffer, MPI_Datatype type)
        : buffer_{detail::require_supported(std::move(buffer))}, type_{type},
          count_{detail::elements_in(buffer_.size(), type)} {}
    large_message next() { return {buffer_.next().data(), static_cast<MPI_Count>(count_), type_}; }
    std::size_t size() const { return count_ * detail::type_size(type_); }
    std::size_t regions() const { return sonde::regions(buffer_); }

private:
    B buffer_;
    MPI_Datatype type_;
    std::size_t count_;
};

/// Messages by the functions with large counts (MPI 4.0): MPI_Send_c and MPI_Recv_c, or MPI_Isend_c, MPI_Irecv_c and
/// one MPI_Waitall. The other links send more than 2^31 - 1 elements as one element of a type that is made for them.
///
/// With an MPI library before MPI 4.0 the constructor throws std::runtime_error.
class large_count_link : public async_link {
public:
    large_count_link(group_ref ranks, int peer, tags tag = {}, MPI_Datatype type = MPI_BYTE)
        : async_link{ranks, peer, tag, {type}} {
        detail::require_mpi_4("sonde::mpi::large_count_link");
    }

    auto send_buffer(Buffer auto buffer) const { return large_message_buffer{std::move(buffer), elements_.type}; }
    auto recv_buffer(Buffer auto buffer) const { return large_message_buffer{std::move(buffer), elements_.type}; }

#if MPI_VERSION >= 4
    void send(large_message const& m) const {
        check(MPI_Send_c(m.data, m.count, m.type, peer_, tags_.send, comm_), "MPI_Send_c");
    }
    void recv(large_message const& m) const {
        check(MPI_Recv_c(m.data, m.count, m.type, peer_, tags_.recv, comm_, MPI_STATUS_IGNORE), "MPI_Recv_c");
    }
    void isend(large_message const& m) {
        check(MPI_Isend_c(m.data, m.count, m.type, peer_, tags_.send, comm_, pending_.add_send()), "MPI_Isend_c");
    }
    void irecv(large_message const& m) {
        check(MPI_Irecv_c(m.data, m.count, m.type, peer_, tags_.recv, comm_, pending_.add()), "MPI_Irecv_c");
    }
#else // A program compiles with any MPI library. The constructor throws first; these functions throw as well.
    void send(large_message const&) const { detail::require_mpi_4("MPI_Send_c"); }
    void recv(large_message const&) const { detail::require_mpi_4("MPI_Recv_c"); }
    void isend(large_message const&) { detail::require_mpi_4("MPI_Isend_c"); }
    void irecv(large_message const&) { detail::require_mpi_4("MPI_Irecv_c"); }
#endif
};

namespace detail {

#if MPI_VERSION >= 4

inline void psend_init(int partitions, large_message const& m, int to, int tag, MPI_Comm comm, MPI_Request* r) {
    check(MPI_Psend_init(m.data, partitions, m.count, m.type, to, tag, comm, MPI_INFO_NULL, r), "MPI_Psend_init");
}
inline void precv_init(int partitions, large_message const& m, int from, int tag, MPI_Comm comm, MPI_Request* r) {
    check(MPI_Precv_init(m.data, partitions, m.count, m.type, from, tag, comm, MPI_INFO_NULL, r), "MPI_Precv_init");
}
inline void pready(int partition, MPI_Request r) { check(MPI_Pready(partition, r), "MPI_Pready"); }

#else

// A program compiles with any MPI library. The link's constructor throws first; these functions throw as well.
inline void psend_init(int, large_message const&, int, int, MPI_Comm, MPI_Request*) { require_mpi_4("MPI_Psend_init"); }
inline void precv_init(int, large_message const&, int, int, MPI_Comm, MPI_Request*) { require_mpi_4("MPI_Precv_init"); }
inline void pready(int, MPI_Request) { require_mpi_4("MPI_Pready"); }

#endif

} // namespace detail

/// Does nothing: a partition is ready at once.
struct ready_at_once {
    /// Does nothing.
    void operator()(int) const {}
};

/// Partitioned communication (MPI 4.0, 4): MPI_Psend_init and MPI_Precv_init when the buffers are prepared; then
/// MPI_Start, for a send one MPI_Pready for each partition in turn, and MPI_Wait. `produce(i)` is called before
/// partition i becomes ready, inside the sample, as an application computes it.
///
/// Each partition is an equal part of the region. If `produce` throws, the remaining partitions are sent as they are.
/// With an MPI library before MPI 4.0 the constructor throws std::runtime_error. It throws std::invalid_argument for
/// fewer than one partition; preparing a buffer throws it unless the partitions divide the region's elements.
template <class Produce = ready_at_once>
class partitioned_link : public endpoint {
public:
    partitioned_link(group_ref ranks, int peer, int partitions, Produce produce = {}, tags tag = {},
                     MPI_Datatype type = MPI_BYTE)
        : endpoint{ranks, peer, tag, {type}}, partitions_{partitions}, produce_{std::move(produce)} {
        if (partitions < 1) throw std::invalid_argument{"sonde::mpi::partitioned_link: needs at least one partition"};
        detail::require_mpi_4("sonde::mpi::partitioned_link");
    }

    auto send_buffer(Buffer auto buffer) const { return prepare(std::move(buffer), tags_.send, detail::psend_init); }
    auto recv_buffer(Buffer auto buffer) const { return prepare(std::move(buffer), tags_.recv, detail::precv_init); }

    void send(MPI_Request* r) {
        if (!sends()) return;
        check(MPI_Start(r), "MPI_Start");
        int i = 0;
        try {
            for (; i != partitions_; ++i) {
                produce_(i);
                detail::pready(i, *r);
            }
        } catch (...) { // the peer gets the rest as it is, and the request can be started again
            for (; i != partitions_; ++i) detail::pready(i, *r);
            MPI_Wait(r, MPI_STATUS_IGNORE);
            throw;
        }
        check(MPI_Wait(r, MPI_STATUS_IGNORE), "MPI_Wait");
    }
    void recv(MPI_Request* r) const {
        if (!sends()) return;
        check(MPI_Start(r), "MPI_Start");
        check(MPI_Wait(r, MPI_STATUS_IGNORE), "MPI_Wait");
    }

private:
    using partitioned_requests = persistent_requests<active_request_policy::leak>; // MPI does not allow canceling them

    partitioned_requests prepare(Buffer auto buffer, int tag, auto init) const {
        large_message_buffer whole{std::move(buffer), elements_.type};
        partitioned_requests made{whole.size()};
        for (auto n = whole.regions(); n != 0; --n) {
            auto m = whole.next();
            if (m.count % partitions_ != 0)
                throw std::invalid_argument{"sonde::mpi::partitioned_link: " + std::to_string(partitions_) +
                                            " partitions do not divide " + std::to_string(m.count) + " elements"};
            m.count /= partitions_;
            auto* const request = made.add(); // stays null without a peer: MPICH 4.0 crashes for MPI_PROC_NULL
            if (sends()) init(partitions_, m, peer_, tag, comm_, request);
        }
        return made;
    }

    int partitions_;
    Produce produce_;
};

} // namespace sonde::mpi
