// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collective/blocks.hpp>
#include <sonde/mpi/collective/operation.hpp>
#include <sonde/mpi/topology.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

// Neighborhood collectives (MPI 4.0, 8.6), on a group with a process topology. MPI has none in place.

namespace sonde::mpi {

namespace detail {

/// Every rank receives a block of each of its sources: the block that the source sends to all its destinations
/// (`SameToAll`), or one meant for this rank alone.
template <bool SameToAll, class Out, class In = Out>
class neighbor_base : public rootless_operation {
public:
    /// `out`: the block for each destination, or the one block for all; `in`: the block of each source. Throws
    /// std::invalid_argument for a group without a topology.
    neighbor_base(group_ref group, typename Out::description out, typename In::description in)
        : basic_operation{group, 0, buffers::out_of_place}, near_{neighborhood_of(group.comm())},
          out_{std::move(out), SameToAll ? 1 : near_.destinations.size()}, in_{std::move(in), near_.sources.size()} {}

    std::size_t send_bytes() const { return out_.span(); }
    std::size_t recv_bytes() const { return in_.span(); }
    std::vector<contribution> contributions(int) const {
        if constexpr (SameToAll) return {{0, out_.span(0), all_ranks}};
        else return block_for_each(out_, false, &near_.destinations);
    }
    std::vector<expected_block> expected_blocks(int) const {
        return block_from_each(in_, SameToAll ? all_ranks : rank_, &near_.sources);
    }
    sonde::traffic traffic() const {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i != in_.blocks(); ++i)
            if (near_.sources[i] != MPI_PROC_NULL) bytes += in_.payload(i);
        return share(bytes, 1);
    }
    int invoke(auto function, call_arguments const& a, auto... more) const {
        return out_.arguments([&](auto... out) {
            return in_.arguments(
                [&](auto... in) { return function(a.sendbuf, out..., a.recvbuf, in..., comm_, more...); });
        });
    }

private:
    neighborhood near_;
    Out out_;
    In in_;
};

} // namespace detail

/// MPI_Neighbor_allgather: every rank receives a block of each source, which sends the same to all destinations.
struct neighbor_allgather : detail::neighbor_base<true, detail::uniform_layout> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Neighbor_allgather, Ineighbor_allgather);

    neighbor_allgather(group_ref ranks, block each) : neighbor_base{ranks, each, each} {}
};

/// MPI_Neighbor_allgatherv: as neighbor_allgather, with blocks of different lengths.
struct neighbor_allgatherv : detail::neighbor_base<true, detail::uniform_layout, detail::varying_layout> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Neighbor_allgatherv, Ineighbor_allgatherv);
    using neighbor_base::neighbor_base;
};

/// MPI_Neighbor_alltoall: every rank receives a block of each source, each meant for it alone.
struct neighbor_alltoall : detail::neighbor_base<false, detail::uniform_layout> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Neighbor_alltoall, Ineighbor_alltoall);

    neighbor_alltoall(group_ref ranks, block each) : neighbor_base{ranks, each, each} {}
};

/// MPI_Neighbor_alltoallv: as neighbor_alltoall, with blocks of different lengths.
struct neighbor_alltoallv : detail::neighbor_base<false, detail::varying_layout> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Neighbor_alltoallv, Ineighbor_alltoallv);
    using neighbor_base::neighbor_base;
};

/// MPI_Neighbor_alltoallw: as neighbor_alltoall, with blocks of different lengths and datatypes.
struct neighbor_alltoallw : detail::neighbor_base<false, detail::layout<mixed_type_blocks<MPI_Aint>>> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Neighbor_alltoallw, Ineighbor_alltoallw);
    using neighbor_base::neighbor_base;
};

} // namespace sonde::mpi
