// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/endpoint.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/message.hpp>

#include <mpi.h>

namespace sonde::mpi {

/// MPI_Send and MPI_Recv.
class link : public endpoint {
public:
    using endpoint::endpoint;
    void send(message const& m) const {
        check(MPI_Send(m.data, m.count, m.type, peer_, tags_.send, comm_), "MPI_Send");
    }
    void recv(message const& m) const {
        check(MPI_Recv(m.data, m.count, m.type, peer_, tags_.recv, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
    }
};

/// MPI_Ssend, which returns when the receive has begun, and MPI_Recv.
class sync_link : public link {
public:
    using link::link;
    void send(message const& m) const {
        check(MPI_Ssend(m.data, m.count, m.type, peer_, tags_.send, comm_), "MPI_Ssend");
    }
};

} // namespace sonde::mpi
