// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tools::replay {

/// A collective on this rank: blocks that are sent and received, without gaps and in the order of ranks, or a vector
/// that is sent to all or reduced.
struct collective_arguments {
    std::string collective{}; // "Allreduce"; a v variant by the name without the v
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0, ranks = 1, root = 0;
    MPI_Datatype type = MPI_BYTE; // bytes, unless it reduces
    std::size_t extent = 1;       // bytes of memory from an element to the next
    MPI_Op op = MPI_OP_NULL;
    int count = 0;                      // elements of the vector
    std::vector<int> to{}, from{};      // elements of the blocks that this rank sends to, and receives from, each rank
    std::vector<std::byte> out{}, in{}; // what is sent, what is received
    mutable std::vector<std::byte> scratch{};
    mutable std::vector<MPI_Request> requests{};

    bool is_root() const { return rank == root; }
    /// Elements that have a result on this rank.
    int result_elements() const;
    /// Sizes the buffers, with room for equal blocks, and fills what is sent: small numbers whose sums and products are
    /// exact in any order; zeros of a datatype that is neither an integer nor a usual floating-point number.
    void prepare();
};

/// An algorithm for a collective that is written over messages or over other collectives.
struct collective_algorithm {
    std::string collective, name;
    void (*call)(collective_arguments& a);
};

/// All algorithms. Sources: R. Thakur, R. Rabenseifner, W. Gropp, International Journal of High Performance Computing
/// Applications 19(1), 2005; dissemination: D. Hensgen, R. Finkel, U. Manber, International Journal of Parallel
/// Programming 17(1), 1988.
std::span<collective_algorithm const> collective_algorithms();

} // namespace tools::replay
