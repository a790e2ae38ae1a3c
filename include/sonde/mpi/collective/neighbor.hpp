// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/collective.hpp>
#include <sonde/collective/operations.hpp>
#include <sonde/mpi/collective/blocks.hpp>
#include <sonde/mpi/collective/operation.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/topology.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

// Neighborhood collectives (MPI 4.0, 8.6), on a group with a process topology. MPI has no in-place form of them.

namespace sonde::mpi {

namespace detail {

/// Every rank receives a block from each of its sources. A source sends the same block to all its destinations
/// (`SameToAll`), or a different block to each.
template <bool SameToAll, class Out, class In = Out>
class neighbor_operation : public collective_base<member> {
public:
    /// `out` describes the block to each destination, or the one block to all destinations; `in` describes the block
    /// from each source. Throws std::invalid_argument for a group without a topology.
    neighbor_operation(group_ref ranks, typename Out::description out, typename In::description in)
        : collective_base{member{ranks}}, near_{neighborhood_of(ranks.comm())},
          out_{std::move(out), SameToAll ? 1 : near_.destinations.size()}, in_{std::move(in), near_.sources.size()} {}

    std::size_t send_bytes() const { return out_.span(); }
    std::size_t recv_bytes() const { return in_.span(); }
    std::vector<contribution> contributions(int) const {
        if constexpr (SameToAll) return {{0, out_.span(0), all_ranks}};
        auto found = block_for_each(out_);
        for (auto& c : found) c.destination = near_.destinations[static_cast<std::size_t>(c.destination)];
        std::erase_if(found, [](contribution const& c) { return c.destination == MPI_PROC_NULL; });
        return found;
    }
    std::vector<expected_block> expected_blocks(int) const {
        auto found = block_from_each(in_, SameToAll ? all_ranks : member_.rank);
        for (auto& b : found) b.first_source = b.last_source = near_.sources[static_cast<std::size_t>(b.first_source)];
        std::erase_if(found, [](expected_block const& b) { return b.first_source == MPI_PROC_NULL; });
        return found;
    }
    sonde::traffic traffic() const {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i != in_.blocks(); ++i)
            if (near_.sources[i] != MPI_PROC_NULL) bytes += in_.payload(i);
        return share(bytes, 1);
    }
    int invoke(call_arguments const& a, auto function, auto... more) const {
        return out_.arguments([&](auto... out) {
            return in_.arguments(
                [&](auto... in) { return function(a.sendbuf, out..., a.recvbuf, in..., member_.comm, more...); });
        });
    }

private:
    neighborhood near_;
    Out out_;
    In in_;
};

} // namespace detail

/// MPI_Neighbor_allgather: every rank receives a block from each source. A source sends the same block to all its
/// destinations.
struct neighbor_allgather : detail::neighbor_operation<true, detail::uniform_layout> {
    static constexpr auto functions = mpi_functions::neighbor_allgather;
    static constexpr auto name = functions.name;

    neighbor_allgather(group_ref ranks, block each) : neighbor_operation{ranks, each, each} {}
};

/// MPI_Neighbor_allgatherv: as neighbor_allgather, with blocks of different lengths.
struct neighbor_allgatherv : detail::neighbor_operation<true, detail::uniform_layout, detail::varying_layout> {
    static constexpr auto functions = mpi_functions::neighbor_allgatherv;
    static constexpr auto name = functions.name;
    using neighbor_operation::neighbor_operation;
};

/// MPI_Neighbor_alltoall: every rank receives a block from each source. A source sends a different block to each
/// destination.
struct neighbor_alltoall : detail::neighbor_operation<false, detail::uniform_layout> {
    static constexpr auto functions = mpi_functions::neighbor_alltoall;
    static constexpr auto name = functions.name;

    neighbor_alltoall(group_ref ranks, block each) : neighbor_operation{ranks, each, each} {}
};

/// MPI_Neighbor_alltoallv: as neighbor_alltoall, with blocks of different lengths.
struct neighbor_alltoallv : detail::neighbor_operation<false, detail::varying_layout> {
    static constexpr auto functions = mpi_functions::neighbor_alltoallv;
    static constexpr auto name = functions.name;
    using neighbor_operation::neighbor_operation;
};

/// MPI_Neighbor_alltoallw: as neighbor_alltoall, with blocks of different lengths and datatypes.
struct neighbor_alltoallw : detail::neighbor_operation<false, detail::layout<mixed_type_blocks<MPI_Aint>>> {
    static constexpr auto functions = mpi_functions::neighbor_alltoallw;
    static constexpr auto name = functions.name;
    using neighbor_operation::neighbor_operation;
};

} // namespace sonde::mpi
