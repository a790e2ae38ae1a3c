// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/measure/compare.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>

namespace neighbors {

/// Measures an exchange of n numbers with both neighbors in a ring of all ranks.
sonde::record measure_ring(sonde::mpi::group const& world, std::size_t n) {
    auto const ring = sonde::mpi::topology::cartesian(world, {world.size()}, {true}); // MPI_Cart_create, periodic
    sonde::mpi::group ranks{ring.comm()}; // or of a communicator of the application that has a topology
    sonde::mpi::neighbor_alltoall const op{ranks, {MPI_DOUBLE, n}};
    sonde::host_allocation const out{op.send_bytes()}, in{op.recv_bytes()};
    sonde::mpi::blocking pattern{op, out.first(op.send_bytes()), in.first(op.recv_bytes())};
    return sonde::run(ranks, sonde::plan<>{}, pattern, {"neighbor_alltoall", {{"numbers", n}}});
}

/// Compares an application's halo exchange, n numbers to and from each neighbor in `grid`, to MPI_Neighbor_alltoall.
/// `sent`: the traffic of this rank in one exchange.
sonde::comparison compare_exchanges(MPI_Comm grid, std::size_t n, sonde::traffic sent, sonde::Pattern auto exchange) {
    sonde::mpi::group ranks{grid}; // a duplicate, which keeps the topology
    sonde::mpi::neighbor_alltoall const op{ranks, {MPI_DOUBLE, n}};
    sonde::host_allocation const out{op.send_bytes()}, in{op.recv_bytes()};
    sonde::mpi::blocking neighbor{op, out.first(op.send_bytes()), in.first(op.recv_bytes())};
    sonde::with_traffic own{sent, exchange};
    sonde::with_traffic same{own.traffic(), neighbor}; // the same bytes for both, so that their MB/s can be compared
    return sonde::compare(ranks, sonde::plan<>{}.until(sonde::samples{200}), own, same);
}

template sonde::comparison compare_exchanges(MPI_Comm, std::size_t, sonde::traffic, void (*)());

} // namespace neighbors
