// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collective.hpp>

#include <cstddef>
#include <vector>

/// Values of every collective operation, on 32-bit numbers unless another datatype is given.
namespace operations {

using sonde::placement;
using sonde::mpi::group;

inline sonde::mpi::block three(MPI_Datatype type = MPI_UINT32_T) { return {type, 3}; }

/// 1, 0, 3, 4, 0, ... elements.
inline std::vector<std::size_t> unequal(int ranks) {
    std::vector<std::size_t> counts;
    for (std::size_t i = 0; i != static_cast<std::size_t>(ranks); ++i) counts.push_back(i % 3 == 1 ? 0 : i + 1);
    return counts;
}

/// Blocks in one region in descending order, with a gap of one element before each.
inline sonde::mpi::blocks backwards(std::vector<std::size_t> const& counts, MPI_Datatype type = MPI_UINT32_T) {
    auto made = sonde::mpi::blocks::packed(type, counts);
    MPI_Aint at = 0;
    for (auto i = counts.size(); i-- != 0; at += made.counts[i]) made.displacements[i] = ++at;
    return made;
}

/// Blocks in descending order. Of 32-bit numbers, every second block is of bytes, by the sum of both ranks, so that
/// sender and receiver agree. In place all have one type: MPICH 4.0's MPI_Ialltoallw confuses the counts of blocks.
inline sonde::mpi::mixed_type_blocks mixed(sonde::mpi::blocks const& of, std::vector<int> const& peers, int me,
                                           placement where = placement::out_of_place) {
    auto const extent = static_cast<MPI_Aint>(sonde::mpi::detail::type_bounds{of.type}.extent);
    sonde::mpi::mixed_type_blocks made;
    for (std::size_t i = 0; i != of.counts.size(); ++i) {
        auto const in_bytes = of.type == MPI_UINT32_T && where != sonde::in_place && (peers[i] + me) % 2 != 0;
        made.types.push_back(in_bytes ? MPI_BYTE : of.type);
        made.counts.push_back(in_bytes ? of.counts[i] * 4 : of.counts[i]);
        made.displacements.push_back(of.displacements[i] * extent);
    }
    return made;
}

/// Number of elements from one rank to another; in place it is symmetric.
inline std::size_t between(int from, int to, placement where) {
    return static_cast<std::size_t>(where == sonde::in_place ? from + to : from + 2 * to) % 3;
}

struct exchange {
    sonde::mpi::blocks out, in;
    std::vector<int> peers;

    exchange(group const& ranks, placement where, MPI_Datatype type) {
        std::vector<std::size_t> to, from;
        for (int r = 0; r != ranks.size(); ++r) {
            to.push_back(between(ranks.rank(), r, where));
            from.push_back(between(r, ranks.rank(), where));
            peers.push_back(r);
        }
        out = backwards(to, type);
        in = backwards(from, type);
    }
};

inline sonde::mpi::alltoallv alltoallv(group const& ranks, placement where, MPI_Datatype type = MPI_UINT32_T) {
    exchange const all{ranks, where, type};
    return {ranks, all.out, all.in, where};
}

inline sonde::mpi::alltoallw alltoallw(group const& ranks, placement where, MPI_Datatype type = MPI_UINT32_T) {
    exchange const all{ranks, where, type};
    auto const typed = [&](auto const& side) { return mixed(side, all.peers, ranks.rank(), where); };
    return {ranks, typed(all.out), typed(all.in), where};
}

/// f(operation) for the reductions without a root.
template <class F>
void combining(group const& ranks, MPI_Datatype type, MPI_Op op, placement where, F f) {
    f(sonde::mpi::allreduce{ranks, {type, 3}, op, where});
    f(sonde::mpi::exscan{ranks, {type, 3}, op, where});
    f(sonde::mpi::reduce_scatter{ranks, type, unequal(ranks.size()), op, where});
    f(sonde::mpi::reduce_scatter_block{ranks, {type, 3}, op, where});
    f(sonde::mpi::scan{ranks, {type, 3}, op, where});
}

/// f(operation) for the other in-place operations without a root.
template <class F>
void collecting(group const& ranks, placement where, F f, MPI_Datatype type = MPI_UINT32_T) {
    f(sonde::mpi::allgather{ranks, three(type), where});
    f(sonde::mpi::allgatherv{ranks, backwards(unequal(ranks.size()), type), where});
    f(sonde::mpi::alltoall{ranks, three(type), where});
    f(alltoallv(ranks, where, type));
    f(alltoallw(ranks, where, type));
}

/// f(operation) for the operations with a root that moves blocks from or to all ranks.
template <class F>
void moving(group const& ranks, sonde::root_rank at, placement where, F f, MPI_Datatype type = MPI_UINT32_T) {
    f(sonde::mpi::gather{ranks, three(type), at, where});
    f(sonde::mpi::gatherv{ranks, backwards(unequal(ranks.size()), type), at, where});
    f(sonde::mpi::scatter{ranks, three(type), at, where});
    f(sonde::mpi::scatterv{ranks, backwards(unequal(ranks.size()), type), at, where});
}

template <class F>
void rooted(group const& ranks, sonde::root_rank at, placement where, F f) {
    moving(ranks, at, where, f);
    f(sonde::mpi::reduce{ranks, three(), MPI_SUM, at, where});
}

/// f(operation) for every operation that needs no topology, each once.
template <class F>
void each(group const& ranks, sonde::root_rank at, placement where, F f) {
    combining(ranks, MPI_UINT32_T, MPI_SUM, where, f);
    collecting(ranks, where, f);
    rooted(ranks, at, where, f);
    f(sonde::mpi::bcast{ranks, three(), at});
}

/// Unequal blocks from and to the neighbors of this rank.
struct near {
    sonde::mpi::neighborhood who;
    sonde::mpi::blocks out, in, in_from_all;

    explicit near(group const& ranks, MPI_Datatype type = MPI_UINT32_T)
        : who{sonde::mpi::neighborhood_of(ranks.comm())} {
        std::vector<std::size_t> to, from, same;
        for (auto const r : who.destinations) to.push_back(between(ranks.rank(), r, placement::out_of_place));
        for (auto const r : who.sources) {
            from.push_back(between(r, ranks.rank(), placement::out_of_place));
            same.push_back(to_all(r));
        }
        out = backwards(to, type);
        in = backwards(from, type);
        in_from_all = backwards(same, type);
    }
    static std::size_t to_all(int rank) { return rank < 0 ? 2 : static_cast<std::size_t>(rank) % 3; }
};

/// f(operation) for every neighborhood collective.
template <class F>
void neighbors(group const& ranks, F f, MPI_Datatype type = MPI_UINT32_T) {
    near const n{ranks, type};
    auto const me = ranks.rank();
    f(sonde::mpi::neighbor_allgather{ranks, three(type)});
    f(sonde::mpi::neighbor_allgatherv{ranks, {type, near::to_all(me)}, n.in_from_all});
    f(sonde::mpi::neighbor_alltoall{ranks, three(type)});
    f(sonde::mpi::neighbor_alltoallv{ranks, n.out, n.in});
    f(sonde::mpi::neighbor_alltoallw{ranks, mixed(n.out, n.who.destinations, me), mixed(n.in, n.who.sources, me)});
}

} // namespace operations
