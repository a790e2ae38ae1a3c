// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/collective.hpp>
#include <sonde/collective/operations.hpp>
#include <sonde/mpi/collective/blocks.hpp>
#include <sonde/mpi/collective/operation.hpp>
#include <sonde/mpi/collective/rooted.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/group.hpp>

#include <utility>

// Barrier, allgather and alltoall (MPI 4.0, 6.3, 6.7 and 6.8).

namespace sonde::mpi {

/// MPI_Barrier: no data; no rank leaves before every rank has entered.
struct barrier : barrier_base<detail::member> {
    SONDE_MPI_FUNCTIONS(Barrier, Ibarrier);

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
struct alltoallw : detail::alltoall_operation<detail::layout<mixed_type_blocks<int>>> {
    SONDE_MPI_FUNCTIONS(Alltoallw, Ialltoallw);
    using alltoall_operation::alltoall_operation;
};

} // namespace sonde::mpi
