// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/collective.hpp>
#include <sonde/collective/operations.hpp>
#include <sonde/mpi/collective/blocks.hpp>
#include <sonde/mpi/collective/operation.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

#include <utility>

// Broadcast, gather and scatter (MPI 4.0, 6.4 to 6.6).

namespace sonde::mpi {

/// MPI_Bcast: every rank receives the root's block. All ranks have one buffer, the receive buffer.
struct bcast : broadcast_base<detail::member, root_rank, detail::uniform_layout> {
    SONDE_MPI_FUNCTIONS(Bcast, Ibcast);

    bcast(group_ref ranks, block all, root_rank root = 0)
        : broadcast_base{detail::member{ranks}, all, root, in_place} {}

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

    int invoke(call_arguments const& a, auto function, auto... more) const {
        auto const& all = this->all_;
        auto const call = with_last_arguments<Root>(function, a, this->member_.comm, more...);
        return all.arguments([&](auto... blocks) {
            return call(sendbuf_or_in_place(a, this->is_in_place(a.root)), all.count(this->self()), all.type(),
                        a.recvbuf, blocks...);
        });
    }
};

template <class Layout>
class scatter_operation : public scatter_base<member, root_rank, Layout> {
public:
    scatter_operation(group_ref ranks, typename Layout::description all, root_rank root = 0,
                      placement where = placement::out_of_place)
        : scatter_operation::scatter_base{member{ranks}, std::move(all), root, where} {}

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

} // namespace sonde::mpi
