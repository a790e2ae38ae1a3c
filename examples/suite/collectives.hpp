// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collective.hpp>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace suite {

namespace mpi = sonde::mpi;

/// Call modes of MPI's collective operations, also as a set.
enum class call_modes : unsigned char { blocking = 1, nonblocking = 2, persistent = 4 };

constexpr call_modes operator|(call_modes a, call_modes b) {
    return static_cast<call_modes>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool contains(call_modes set, call_modes mode) {
    return (static_cast<unsigned>(set) & static_cast<unsigned>(mode)) != 0;
}

/// Collective operations of the programs.
enum class operation : unsigned char {
    allgather,
    allgatherv,
    allreduce,
    alltoall,
    alltoallv,
    alltoallw,
    barrier,
    bcast,
    gather,
    gatherv,
    reduce,
    reduce_scatter,
    reduce_scatter_block,
    scan,
    exscan,
    scatter,
    scatterv,
    neighbor_allgather,
    neighbor_allgatherv,
    neighbor_alltoall,
    neighbor_alltoallv,
    neighbor_alltoallw
};

constexpr bool is_neighborhood(operation which) { return which >= operation::neighbor_allgather; }

/// Arguments of a collective operation of one message size. A suite whose arguments differ replaces members in a
/// derived class.
struct recipe {
    mpi::group const& ranks; // with a topology, for a neighborhood operation
    mpi::block each;         // block of each rank or neighbor; of reductions the vector of each rank
    sonde::root_rank root{};
    sonde::placement where = sonde::placement::out_of_place;
    MPI_Op sum = MPI_SUM;

    std::size_t size() const { return static_cast<std::size_t>(ranks.size()); }

    mpi::bcast bcast() const { return {ranks, each, root}; }
    /// Elements that each rank receives from reduce_scatter: equal parts of the vector; the first ranks have one
    /// element more if the parts are not equal.
    std::vector<std::size_t> scattered_counts() const {
        std::vector<std::size_t> all(size(), each.count / size());
        for (std::size_t rank = 0; rank != each.count % size(); ++rank) ++all[rank];
        return all;
    }
    /// Block that each rank receives from reduce_scatter_block: an equal part of the vector, rounded down.
    mpi::block scattered_block() const { return {each.type, each.count / size()}; }
};

namespace detail {

/// n equal blocks, one after the other.
inline mpi::blocks packed(mpi::block each, std::size_t n) {
    return mpi::blocks::packed(each.type, std::vector<std::size_t>(n, each.count));
}

} // namespace detail

/// Create the reduction of these arguments: returns f(sonde::CollectiveOperation).
template <class Recipe, class F>
decltype(auto) with_reduction(operation which, Recipe const& r, F f) {
    switch (which) {
    case operation::allreduce:
        return f(mpi::allreduce{r.ranks, r.each, r.sum, r.where});
    case operation::reduce:
        return f(mpi::reduce{r.ranks, r.each, r.sum, r.root, r.where});
    case operation::reduce_scatter:
        return f(mpi::reduce_scatter{r.ranks, r.each.type, r.scattered_counts(), r.sum, r.where});
    case operation::reduce_scatter_block:
        return f(mpi::reduce_scatter_block{r.ranks, r.scattered_block(), r.sum, r.where});
    case operation::scan:
        return f(mpi::scan{r.ranks, r.each, r.sum, r.where});
    case operation::exscan:
        return f(mpi::exscan{r.ranks, r.each, r.sum, r.where});
    default:
        throw std::logic_error{"suite: no reduction"};
    }
}

/// Create the operation of these arguments, without neighborhood operations: returns
/// f(sonde::CollectiveOperation).
template <class Recipe, class F>
decltype(auto) with_operation(operation which, Recipe const& r, F f) {
    auto const per_rank = [&r] { return detail::packed(r.each, r.size()); };
    auto const typed_per_rank = [&r] { return mpi::mixed_type_blocks::packed(r.each, r.size()); };
    switch (which) {
    case operation::allgather:
        return f(mpi::allgather{r.ranks, r.each, r.where});
    case operation::allgatherv:
        return f(mpi::allgatherv{r.ranks, per_rank(), r.where});
    case operation::alltoall:
        return f(mpi::alltoall{r.ranks, r.each, r.where});
    case operation::alltoallv:
        return f(mpi::alltoallv{r.ranks, per_rank(), per_rank(), r.where});
    case operation::alltoallw:
        return f(mpi::alltoallw{r.ranks, typed_per_rank(), typed_per_rank(), r.where});
    case operation::barrier:
        return f(mpi::barrier{r.ranks});
    case operation::bcast:
        return f(r.bcast());
    case operation::gather:
        return f(mpi::gather{r.ranks, r.each, r.root, r.where});
    case operation::gatherv:
        return f(mpi::gatherv{r.ranks, per_rank(), r.root, r.where});
    case operation::scatter:
        return f(mpi::scatter{r.ranks, r.each, r.root, r.where});
    case operation::scatterv:
        return f(mpi::scatterv{r.ranks, per_rank(), r.root, r.where});
    default:
        return with_reduction(which, r, f);
    }
}

/// Create the neighborhood operation of these arguments: returns f(sonde::CollectiveOperation).
template <class F>
decltype(auto) with_neighborhood_operation(operation which, recipe const& r, F f) {
    using typed_blocks = mpi::mixed_type_blocks;
    auto const sources = [&r] { return mpi::neighborhood_of(r.ranks.comm()).sources.size(); };
    auto const destinations = [&r] { return mpi::neighborhood_of(r.ranks.comm()).destinations.size(); };
    switch (which) {
    case operation::neighbor_allgather:
        return f(mpi::neighbor_allgather{r.ranks, r.each});
    case operation::neighbor_allgatherv:
        return f(mpi::neighbor_allgatherv{r.ranks, r.each, detail::packed(r.each, sources())});
    case operation::neighbor_alltoall:
        return f(mpi::neighbor_alltoall{r.ranks, r.each});
    case operation::neighbor_alltoallv:
        return f(mpi::neighbor_alltoallv{r.ranks, detail::packed(r.each, destinations()),
                                         detail::packed(r.each, sources())});
    case operation::neighbor_alltoallw:
        return f(mpi::neighbor_alltoallw{r.ranks, typed_blocks::packed(r.each, destinations()),
                                         typed_blocks::packed(r.each, sources())});
    default:
        throw std::logic_error{"suite: no neighborhood operation"};
    }
}

/// Create the operation of these arguments, of either kind: returns f(sonde::CollectiveOperation).
template <class F>
decltype(auto) with_any_operation(operation which, recipe const& r, F f) {
    return is_neighborhood(which) ? with_neighborhood_operation(which, r, f) : with_operation(which, r, f);
}

} // namespace suite
