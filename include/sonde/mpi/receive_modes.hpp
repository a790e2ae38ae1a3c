// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace sonde::mpi {

/// Messages to a peer, and receives from any rank (MPI_ANY_SOURCE) with the link's tag: MPI_Send and MPI_Recv, or
/// MPI_Isend, MPI_Irecv and one MPI_Waitall. What a wildcard costs shows beside `link` and `async_link`.
class any_source_link : public endpoint {
public:
    using endpoint::endpoint;
    void send(message const& m) const { send_to(peer_, m); }
    void recv(message const& m) const { recv_from(source(), m); }
    void isend(message const& m) { isend_to(peer_, m, pending_.add()); }
    void irecv(message const& m) { irecv_from(source(), m, pending_.add()); }
    void wait_all() { pending_.wait(); }
    /// Allocates requests for up to `n` messages in flight each way.
    void reserve(std::size_t n) { pending_.reserve(2 * n); }

private:
    /// A link without a peer receives nothing.
    int source() const { return peer_ == MPI_PROC_NULL ? MPI_PROC_NULL : MPI_ANY_SOURCE; }

    requests<if_active::cancel> pending_;
};

/// MPI_Send, and receives of messages that are first probed, as by an application that does not know their length:
/// MPI_Mprobe, MPI_Get_count and MPI_Mrecv of as many elements as have come. `recv` throws mpi::error for a message
/// that is longer than its region.
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
    /// Receives a message that is too long elsewhere, since MPICH ends the job if MPI_Mrecv truncates it.
    [[noreturn, gnu::cold, gnu::noinline]] static void refuse(MPI_Message& found, MPI_Status const& status) {
        int bytes = 0;
        check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
        std::vector<std::byte> elsewhere(static_cast<std::size_t>(bytes < 0 ? 0 : bytes));
        if (bytes >= 0) check(MPI_Mrecv(elsewhere.data(), bytes, MPI_BYTE, &found, MPI_STATUS_IGNORE), "MPI_Mrecv");
        detail::throw_error("MPI_Mrecv", MPI_ERR_TRUNCATE);
    }
};

} // namespace sonde::mpi
