// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collectives/blocks.hpp>
#include <sonde/mpi/collectives/operation.hpp>
#include <sonde/mpi/datatype.hpp>

#include <cstddef>
#include <utility>
#include <vector>

// Reduce, reduce-scatter and scan (MPI 4.0, 6.9 to 6.11). Vectors are combined in rank order, so that an operation need
// not commute.

namespace sonde::mpi {

namespace detail {

/// Every rank contributes a vector; vectors are combined element by element.
class reduction_base : public operation_base {
public:
    reduction_base(group_ref ranks, block all, MPI_Op op, buffers used = buffers::out_of_place)
        : operation_base{ranks, used}, all_{all, 1}, op_{require_op(op)} {}

    std::size_t send_bytes() const { return in_place_ ? 0 : all_.span(); }
    std::size_t recv_bytes() const { return all_.span(); }
    std::vector<contribution> contributions(int) const { return {{0, all_.span(), all_ranks, in_place_}}; }
    template <class F, class... More>
    int invoke(F function, call_arguments const& a, More... more) const {
        return function(sendbuf(a), a.recvbuf, all_.count(), all_.type(), op_, comm_, more...);
    }

protected:
    uniform_layout all_;
    MPI_Op op_;
};

} // namespace detail

/// MPI_Allreduce: every rank receives the reduction over all ranks.
class allreduce : public detail::reduction_base {
public:
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Allreduce, Iallreduce);
    using reduction_base::reduction_base;

    std::vector<expected_block> expected_blocks(int) const { return {{0, all_.span(), 0, size_ - 1}}; }
    traffic moves() const { return share(all_.payload(), 2 * remote_fraction()); }
};

/// MPI_Scan: rank r receives the reduction over ranks 0 to r.
class scan : public detail::reduction_base {
public:
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Scan, Iscan);
    using reduction_base::reduction_base;

    std::vector<expected_block> expected_blocks(int) const { return {{0, all_.span(), 0, rank_}}; }
    traffic moves() const { return share(all_.payload(), 1); }
};

/// MPI_Exscan: rank r receives the reduction over ranks 0 to r - 1; rank 0 receives nothing.
class exscan : public detail::reduction_base {
public:
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Exscan, Iexscan);
    using reduction_base::reduction_base;

    std::vector<expected_block> expected_blocks(int) const {
        if (rank_ == 0) return {};
        return {{0, all_.span(), 0, rank_ - 1}};
    }
    traffic moves() const { return share(all_.payload(), 1); }
};

/// MPI_Reduce: the root receives the reduction over all ranks; in place, its own vector is in the receive buffer
/// already.
class reduce : public detail::rooted_base {
public:
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Reduce, Ireduce);

    reduce(group_ref ranks, block all, MPI_Op op, root_rank root = 0, buffers used = buffers::out_of_place)
        : rooted_base{ranks, root, used}, all_{all, 1}, op_{detail::require_op(op)} {}

    std::size_t send_bytes() const { return in_place_ && is_always_root() ? 0 : all_.span(); }
    std::size_t recv_bytes() const { return is_ever_root() ? all_.span() : 0; }
    std::vector<contribution> contributions(int root) const { return {{0, all_.span(), all_ranks, is_in_place(root)}}; }
    std::vector<expected_block> expected_blocks(int root) const {
        if (rank_ != root) return {};
        return {{0, all_.span(), 0, size_ - 1}};
    }
    traffic moves() const { return share(all_.payload(), 1); }
    template <class F, class... More>
    int invoke(F function, call_arguments const& a, More... more) const {
        return function(sendbuf(a), a.recvbuf, all_.count(), all_.type(), op_, a.root, comm_, more...);
    }

private:
    detail::uniform_layout all_;
    MPI_Op op_;
};

namespace detail {

/// Rank r receives block r of the reduction over all ranks.
template <class Layout>
class reduce_scatter_base : public operation_base {
public:
    reduce_scatter_base(group_ref group, typename Layout::description all, MPI_Op op,
                        buffers used = buffers::out_of_place)
        : operation_base{group, used}, all_{std::move(all), ranks()}, op_{require_op(op)} {}

    std::size_t send_bytes() const { return in_place_ ? 0 : all_.span(); }
    std::size_t recv_bytes() const { return in_place_ ? all_.span() : all_.span(self()); }
    std::vector<contribution> contributions(int) const { return {{0, all_.span(), all_ranks, in_place_}}; }
    std::vector<expected_block> expected_blocks(int) const {
        return {{0, all_.span(self()), 0, size_ - 1, all_ranks, all_.offset(self())}};
    }
    traffic moves() const { return share(all_.payload(), remote_fraction()); }
    template <class F, class... More>
    int invoke(F function, call_arguments const& a, More... more) const {
        return function(sendbuf(a), a.recvbuf, all_.counts(), all_.type(), op_, comm_, more...);
    }

protected:
    Layout all_;
    MPI_Op op_;
};

} // namespace detail

/// MPI_Reduce_scatter_block: rank r receives block r of the reduction over all ranks.
class reduce_scatter_block : public detail::reduce_scatter_base<detail::uniform_layout> {
public:
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Reduce_scatter_block, Ireduce_scatter_block);
    using reduce_scatter_base::reduce_scatter_base;
};

/// MPI_Reduce_scatter: as reduce_scatter_block, with blocks of different lengths.
class reduce_scatter : public detail::reduce_scatter_base<detail::varying_layout<blocks>> {
public:
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Reduce_scatter, Ireduce_scatter);

    /// `counts`: elements of each rank's block, equal on all ranks.
    reduce_scatter(group_ref ranks, MPI_Datatype type, std::vector<std::size_t> const& counts, MPI_Op op,
                   buffers used = buffers::out_of_place)
        : reduce_scatter_base{ranks, blocks::packed(type, counts), op, used} {}
};

} // namespace sonde::mpi
