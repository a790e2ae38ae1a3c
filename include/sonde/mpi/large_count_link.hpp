// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/memory.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>

namespace sonde::mpi {

/// Address, count and datatype of a message of any length.
struct large_message {
    void* data;
    MPI_Count count;
    MPI_Datatype type;
};

/// Buffer whose regions are messages. A message has as many elements as its region holds; the number may exceed an int.
template <Buffer B>
class large_messages {
public:
    /// Throws device_memory_unsupported; std::invalid_argument for MPI_DATATYPE_NULL, and for a type without extent;
    /// std::length_error for a region that is not empty but smaller than one element.
    large_messages(B buffer, MPI_Datatype type)
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

    auto send_buffer(Buffer auto buffer) const { return large_messages{std::move(buffer), elements_.type}; }
    auto recv_buffer(Buffer auto buffer) const { return large_messages{std::move(buffer), elements_.type}; }

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

} // namespace sonde::mpi
