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

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

// The functions of a collective in the MPI library as member `functions`, and the blocking one's name as member `name`.
#if SONDE_MPI_PERSISTENT_COLLECTIVES && !defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define SONDE_MPI_INIT_FUNCTION(name) MPI_##name##_init, "MPI_" #name "_init"
#elif SONDE_MPI_PERSISTENT_COLLECTIVES
#define SONDE_MPI_INIT_FUNCTION(name)                                                                                  \
    [](auto... arguments) {                                                                                            \
        return MPI_##name##_init != nullptr ? MPI_##name##_init(arguments...) : MPIX_##name##_init(arguments...);      \
    },                                                                                                                 \
        "MPIX_" #name "_init"
// Weak symbols: the library of the running program has the functions by one of both names.
#define SONDE_MPI_EITHER_NAME(name) [[gnu::weak]] decltype(MPIX_##name##_init) MPIX_##name##_init, MPI_##name##_init;
extern "C" {
SONDE_MPI_EITHER_NAME(Allgather)
SONDE_MPI_EITHER_NAME(Allgatherv)
SONDE_MPI_EITHER_NAME(Allreduce)
SONDE_MPI_EITHER_NAME(Alltoall)
SONDE_MPI_EITHER_NAME(Alltoallv)
SONDE_MPI_EITHER_NAME(Alltoallw)
SONDE_MPI_EITHER_NAME(Barrier)
SONDE_MPI_EITHER_NAME(Bcast)
SONDE_MPI_EITHER_NAME(Exscan)
SONDE_MPI_EITHER_NAME(Gather)
SONDE_MPI_EITHER_NAME(Gatherv)
SONDE_MPI_EITHER_NAME(Neighbor_allgather)
SONDE_MPI_EITHER_NAME(Neighbor_allgatherv)
SONDE_MPI_EITHER_NAME(Neighbor_alltoall)
SONDE_MPI_EITHER_NAME(Neighbor_alltoallv)
SONDE_MPI_EITHER_NAME(Neighbor_alltoallw)
SONDE_MPI_EITHER_NAME(Reduce)
SONDE_MPI_EITHER_NAME(Reduce_scatter)
SONDE_MPI_EITHER_NAME(Reduce_scatter_block)
SONDE_MPI_EITHER_NAME(Scan)
SONDE_MPI_EITHER_NAME(Scatter)
SONDE_MPI_EITHER_NAME(Scatterv)
}
#undef SONDE_MPI_EITHER_NAME
#else
#define SONDE_MPI_INIT_FUNCTION(name) nullptr, ""
#endif
#define SONDE_MPI_FUNCTIONS_WITHOUT_COUNTS(function, nonblocking)                                                      \
    static constexpr collective_functions functions{"MPI_" #function, MPI_##function, MPI_##nonblocking,               \
                                                    "MPI_" #nonblocking, SONDE_MPI_INIT_FUNCTION(function)};           \
    static constexpr auto name = functions.name
// MPI 4.0 has each function with counts also with large counts.
#if MPI_VERSION >= 4
#define SONDE_MPI_FUNCTIONS(function, nonblocking)                                                                     \
    SONDE_MPI_FUNCTIONS_WITHOUT_COUNTS(function, nonblocking);                                                         \
    static constexpr collective_functions large_functions {                                                            \
        "MPI_" #function "_c", MPI_##function##_c, MPI_##nonblocking##_c, "MPI_" #nonblocking "_c",                    \
            MPI_##function##_init_c, "MPI_" #function "_init_c"                                                        \
    }
#else
#define SONDE_MPI_FUNCTIONS SONDE_MPI_FUNCTIONS_WITHOUT_COUNTS
#endif

namespace sonde::inline v0_1::mpi {

// Broadcast, gather and scatter (MPI 4.0, 6.4 to 6.6).

/// MPI_Bcast: every rank receives the root's block. All ranks have one buffer, the receive buffer.
struct bcast : broadcast_base<detail::member, root_rank, detail::uniform_layout> {
    SONDE_MPI_FUNCTIONS(Bcast, Ibcast);

    bcast(group_ref ranks, block all, root_rank root = 0)
        : broadcast_base{detail::member{ranks}, all, root, in_place} {}

    /// True if a count or a displacement exceeds an int.
    bool is_large() const { return all_.is_large(); }
    int invoke(call_arguments const& a, auto function, auto... more) const {
        return function(a.recvbuf, all_.count(), all_.type(), a.root, member_.comm, more...);
    }
};

namespace detail {

template <class Root, class Layout>
class gather_operation : public gather_base<member, Root, Layout> {
public:
    gather_operation(group_ref ranks, typename Layout::description all, Root root = {},
                     placement where = placement::out_of_place)
        : gather_operation::gather_base{member{ranks}, std::move(all), root, where} {}

    /// True if a count or a displacement exceeds an int.
    bool is_large() const { return this->all_.is_large(); }
    int invoke(call_arguments const& a, auto function, auto... more) const {
        auto const* const sendbuf = sendbuf_or_in_place(a, this->is_in_place(a.root));
        auto const count = this->all_.count(this->self());
        auto const type = this->all_.type();
        auto const comm = this->member_.comm;
        return this->all_.arguments([&](auto... blocks) {
            if constexpr (std::same_as<Root, no_root>)
                return function(sendbuf, count, type, a.recvbuf, blocks..., comm, more...);
            else return function(sendbuf, count, type, a.recvbuf, blocks..., a.root, comm, more...);
        });
    }
};

template <class Layout>
class scatter_operation : public scatter_base<member, root_rank, Layout> {
public:
    scatter_operation(group_ref ranks, typename Layout::description all, root_rank root = 0,
                      placement where = placement::out_of_place)
        : scatter_operation::scatter_base{member{ranks}, std::move(all), root, where} {}

    /// True if a count or a displacement exceeds an int.
    bool is_large() const { return this->all_.is_large(); }
    int invoke(call_arguments const& a, auto function, auto... more) const {
        auto const& all = this->all_;
        auto* const recvbuf = this->is_in_place(a.root) ? MPI_IN_PLACE : a.recvbuf;
        return all.arguments([&](auto... blocks) {
            return function(a.sendbuf, blocks..., recvbuf, all.count(this->self()), all.type(), a.root,
                            this->member_.comm, more...);
        });
    }
};

} // namespace detail

/// MPI_Gather: the root receives a block from every rank.
struct gather : detail::gather_operation<root_rank, detail::uniform_layout> {
    SONDE_MPI_FUNCTIONS(Gather, Igather);
    using gather_operation::gather_operation;
};

/// MPI_Gatherv: as gather, with blocks of different lengths.
struct gatherv : detail::gather_operation<root_rank, detail::varying_layout> {
    SONDE_MPI_FUNCTIONS(Gatherv, Igatherv);
    using gather_operation::gather_operation;
};

/// MPI_Scatter: every rank receives a block from the root.
struct scatter : detail::scatter_operation<detail::uniform_layout> {
    SONDE_MPI_FUNCTIONS(Scatter, Iscatter);
    using scatter_operation::scatter_operation;
};

/// MPI_Scatterv: as scatter, with blocks of different lengths.
struct scatterv : detail::scatter_operation<detail::varying_layout> {
    SONDE_MPI_FUNCTIONS(Scatterv, Iscatterv);
    using scatter_operation::scatter_operation;
};

// Barrier, allgather and alltoall (MPI 4.0, 6.3, 6.7 and 6.8).

/// MPI_Barrier: no data; no rank leaves before every rank has entered.
struct barrier : barrier_base<detail::member> {
    SONDE_MPI_FUNCTIONS_WITHOUT_COUNTS(Barrier, Ibarrier);

    explicit barrier(group_ref ranks) : barrier_base{detail::member{ranks}} {}

    int invoke(call_arguments const&, auto function, auto... more) const { return function(member_.comm, more...); }
};

/// MPI_Allgather: every rank receives a block from every rank.
struct allgather : detail::gather_operation<no_root, detail::uniform_layout> {
    SONDE_MPI_FUNCTIONS(Allgather, Iallgather);

    allgather(group_ref ranks, block each, placement where = placement::out_of_place)
        : gather_operation{ranks, each, {}, where} {}
};

/// MPI_Allgatherv: as allgather, with blocks of different lengths.
struct allgatherv : detail::gather_operation<no_root, detail::varying_layout> {
    SONDE_MPI_FUNCTIONS(Allgatherv, Iallgatherv);

    allgatherv(group_ref ranks, blocks all, placement where = placement::out_of_place)
        : gather_operation{ranks, std::move(all), {}, where} {}
};

namespace detail {

template <class Layout>
class alltoall_operation : public alltoall_base<member, Layout> {
public:
    using description = typename Layout::description;

    /// `out` describes the block to each rank, `in` the block from each rank. In place, `in` describes both.
    alltoall_operation(group_ref ranks, description out, description in, placement where = placement::out_of_place)
        : alltoall_operation::alltoall_base{member{ranks}, std::move(out), std::move(in), where} {}

    /// True if a count or a displacement exceeds an int.
    bool is_large() const { return this->out_.is_large() || this->in_.is_large(); }
    int invoke(call_arguments const& a, auto function, auto... more) const {
        return this->out_.arguments([&](auto... out) {
            return this->in_.arguments([&](auto... in) {
                return function(sendbuf_or_in_place(a, this->in_place_), out..., a.recvbuf, in..., this->member_.comm,
                                more...);
            });
        });
    }
};

} // namespace detail

/// MPI_Alltoall: every rank sends a different block to each rank.
struct alltoall : detail::alltoall_operation<detail::uniform_layout> {
    SONDE_MPI_FUNCTIONS(Alltoall, Ialltoall);

    alltoall(group_ref ranks, block each, placement where = placement::out_of_place)
        : alltoall_operation{ranks, each, each, where} {}
};

/// MPI_Alltoallv: as alltoall, with blocks of different lengths.
struct alltoallv : detail::alltoall_operation<detail::varying_layout> {
    SONDE_MPI_FUNCTIONS(Alltoallv, Ialltoallv);
    using alltoall_operation::alltoall_operation;
};

/// MPI_Alltoallw: as alltoall, with blocks of different lengths and datatypes.
struct alltoallw : detail::alltoall_operation<detail::layout<mixed_type_blocks>> {
    SONDE_MPI_FUNCTIONS(Alltoallw, Ialltoallw);
    using alltoall_operation::alltoall_operation;
};

// Reduce, reduce-scatter and scan (MPI 4.0, 6.9 to 6.11). Vectors are combined in rank order, so the operation need not
// be commutative.

namespace detail {

/// A call of MPI with a reduction operation; `Base` is reduction_base or reduce_scatter_base.
template <class Base, class Root = no_root>
class reduction_call : public Base {
public:
    /// True if a count or a displacement exceeds an int.
    bool is_large() const { return this->all_.is_large(); }
    int invoke(call_arguments const& a, auto function, auto... more) const {
        auto const* const sendbuf = sendbuf_or_in_place(a, this->is_in_place(a.root));
        auto const counts = this->all_.counts();
        auto const type = this->all_.type();
        auto const comm = this->member_.comm;
        if constexpr (std::same_as<Root, no_root>)
            return function(sendbuf, a.recvbuf, counts, type, op_, comm, more...);
        else return function(sendbuf, a.recvbuf, counts, type, op_, a.root, comm, more...);
    }

protected:
    reduction_call(MPI_Op op, auto... base) : Base{std::move(base)...}, op_{require_op(op)} {}

private:
    MPI_Op op_;
};

template <class Root>
using reduction_of = reduction_call<reduction_base<member, Root, uniform_layout>, Root>;

/// A reduction without a root.
class rootless_reduction : public reduction_of<no_root> {
public:
    rootless_reduction(group_ref ranks, block all, MPI_Op op, placement where = placement::out_of_place)
        : reduction_call{op, member{ranks}, all, std::size_t{1}, no_root{}, where} {}
};

} // namespace detail

/// MPI_Allreduce: every rank receives the reduction over all ranks.
struct allreduce : detail::rootless_reduction {
    SONDE_MPI_FUNCTIONS(Allreduce, Iallreduce);
    using rootless_reduction::rootless_reduction;

    sonde::traffic traffic() const { return share_with_all(); }
};

/// MPI_Scan: rank r receives the reduction over ranks 0 to r.
struct scan : detail::rootless_reduction {
    SONDE_MPI_FUNCTIONS(Scan, Iscan);
    using rootless_reduction::rootless_reduction;

    std::vector<expected_block> expected_blocks(int) const { return {{0, all_.span(), 0, member_.rank}}; }
};

/// MPI_Exscan: rank r receives the reduction over ranks 0 to r - 1; rank 0 receives nothing.
struct exscan : detail::rootless_reduction {
    SONDE_MPI_FUNCTIONS(Exscan, Iexscan);
    using rootless_reduction::rootless_reduction;

    std::vector<expected_block> expected_blocks(int) const {
        if (member_.rank == 0) return {};
        return {{0, all_.span(), 0, member_.rank - 1}};
    }
};

/// MPI_Reduce: the root receives the reduction over all ranks.
struct reduce : detail::reduction_of<root_rank> {
    SONDE_MPI_FUNCTIONS(Reduce, Ireduce);

    reduce(group_ref ranks, block all, MPI_Op op, root_rank root = 0, placement where = placement::out_of_place)
        : reduction_call{op, detail::member{ranks}, all, std::size_t{1}, root, where} {}
};

/// MPI_Reduce_scatter_block: rank r receives block r of the reduction over all ranks.
struct reduce_scatter_block : detail::reduction_call<reduce_scatter_base<detail::member, detail::uniform_layout>> {
    SONDE_MPI_FUNCTIONS(Reduce_scatter_block, Ireduce_scatter_block);

    reduce_scatter_block(group_ref ranks, block each, MPI_Op op, placement where = placement::out_of_place)
        : reduction_call{op, detail::member{ranks}, each, where} {}
};

/// MPI_Reduce_scatter: as reduce_scatter_block, with blocks of different lengths.
struct reduce_scatter : detail::reduction_call<reduce_scatter_base<detail::member, detail::varying_layout>> {
    SONDE_MPI_FUNCTIONS(Reduce_scatter, Ireduce_scatter);

    /// `counts`: elements of each rank's block, equal on all ranks.
    reduce_scatter(group_ref ranks, MPI_Datatype type, std::vector<std::size_t> const& counts, MPI_Op op,
                   placement where = placement::out_of_place)
        : reduction_call{op, detail::member{ranks}, blocks::packed(type, counts), where} {}
};

// Neighborhood collectives (MPI 4.0, 8.6), on a group with a process topology. MPI has no in-place form of them.

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
    /// True if a count or a displacement exceeds an int.
    bool is_large() const { return out_.is_large() || in_.is_large(); }
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
    SONDE_MPI_FUNCTIONS(Neighbor_allgather, Ineighbor_allgather);

    neighbor_allgather(group_ref ranks, block each) : neighbor_operation{ranks, each, each} {}
};

/// MPI_Neighbor_allgatherv: as neighbor_allgather, with blocks of different lengths.
struct neighbor_allgatherv : detail::neighbor_operation<true, detail::uniform_layout, detail::varying_layout> {
    SONDE_MPI_FUNCTIONS(Neighbor_allgatherv, Ineighbor_allgatherv);
    using neighbor_operation::neighbor_operation;
};

/// MPI_Neighbor_alltoall: every rank receives a block from each source. A source sends a different block to each
/// destination.
struct neighbor_alltoall : detail::neighbor_operation<false, detail::uniform_layout> {
    SONDE_MPI_FUNCTIONS(Neighbor_alltoall, Ineighbor_alltoall);

    neighbor_alltoall(group_ref ranks, block each) : neighbor_operation{ranks, each, each} {}
};

/// MPI_Neighbor_alltoallv: as neighbor_alltoall, with blocks of different lengths.
struct neighbor_alltoallv : detail::neighbor_operation<false, detail::varying_layout> {
    SONDE_MPI_FUNCTIONS(Neighbor_alltoallv, Ineighbor_alltoallv);
    using neighbor_operation::neighbor_operation;
};

/// MPI_Neighbor_alltoallw: as neighbor_alltoall, with blocks of different lengths and datatypes.
struct neighbor_alltoallw : detail::neighbor_operation<false, detail::layout<mixed_type_blocks, MPI_Aint>> {
    SONDE_MPI_FUNCTIONS(Neighbor_alltoallw, Ineighbor_alltoallw);
    using neighbor_operation::neighbor_operation;
};

} // namespace sonde::mpi

#undef SONDE_MPI_FUNCTIONS
#undef SONDE_MPI_FUNCTIONS_WITHOUT_COUNTS
#undef SONDE_MPI_INIT_FUNCTION
