// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/endpoint.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/message.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <cstddef>

namespace sonde::mpi {

/// MPI_Isend, MPI_Irecv, and one MPI_Waitall for all of them. Allocates only when more are under way than ever before.
///
/// What goes wrong with a message under way comes out of `wait_all` as mpi::error, where the library returns it: MPICH
/// raises it on MPI_COMM_WORLD, whose handler, the application's, ends the job by default.
class async_link : public endpoint {
public:
    using endpoint::endpoint;
    void isend(message const& m) {
        check(MPI_Isend(m.data, m.count, m.type, peer_, tags_.send, comm_, pending_.add()), "MPI_Isend");
    }
    void irecv(message const& m) {
        check(MPI_Irecv(m.data, m.count, m.type, peer_, tags_.recv, comm_, pending_.add()), "MPI_Irecv");
    }
    void wait_all() { pending_.wait(); }
    void expect(std::size_t n) { pending_.reserve(2 * n); }

private:
    requests pending_;
};

} // namespace sonde::mpi
