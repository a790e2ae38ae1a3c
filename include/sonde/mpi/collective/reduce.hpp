// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/collective.hpp>
#include <sonde/collective/operations.hpp>
#include <sonde/mpi/collective/blocks.hpp>
#include <sonde/mpi/collective/operation.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

// Reduce, reduce-scatter and scan (MPI 4.0, 6.9 to 6.11). Vectors are combined in rank order, so the operation need not
// be commutative.

namespace sonde::mpi {

namespace detail {

/// A call of MPI with a reduction operation; `Base` is reduction_base or reduce_scatter_base.
template <class Base, class Root = no_root>
class reduction_call : public Base {
public:
    int invoke(call_arguments const& a, auto function, auto... more) const {
        auto const call = with_last_arguments<Root>(function, a, this->member_.comm, more...);
        return call(sendbuf_or_in_place(a, this->is_in_place(a.root)), a.recvbuf, this->all_.counts(),
                    this->all_.type(), op_);
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

} // namespace sonde::mpi
