// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collective/blocks.hpp>
#include <sonde/mpi/collective/operation.hpp>
#include <sonde/mpi/datatype.hpp>

#include <cstddef>
#include <utility>
#include <vector>

// Reduce, reduce-scatter and scan (MPI 4.0, 6.9 to 6.11). Vectors are combined in rank order, so that an operation need
// not commute.

namespace sonde::mpi {

namespace detail {

/// Every rank contributes a vector, of one block or (`Scatters`) of a block for each rank; vectors are combined element
/// by element. In place, the vector of a rank that receives is in its receive buffer already.
template <bool Rooted, class Layout = uniform_layout, bool Scatters = false>
class reduction_base : public basic_operation<Rooted> {
public:
    reduction_base(group_ref group, typename Layout::description all, MPI_Op op, root_rank root = 0,
                   buffers used = buffers::out_of_place)
        requires Rooted
        : basic_operation<true>{group, root, used}, all_{std::move(all), 1}, op_{require_op(op)} {}
    reduction_base(group_ref group, typename Layout::description all, MPI_Op op, buffers used = buffers::out_of_place)
        requires(!Rooted)
        : basic_operation<false>{group, 0, used}, all_{std::move(all), Scatters ? this->ranks() : 1},
          op_{require_op(op)} {}

    std::size_t send_bytes() const { return this->is_always_in_place() ? 0 : all_.span(); }
    std::size_t recv_bytes() const { return this->is_ever_root() ? all_.span() : 0; }
    std::vector<contribution> contributions(int root) const {
        return {{0, all_.span(), all_ranks, this->is_in_place(root)}};
    }
    /// By default, the reduction over all ranks.
    std::vector<expected_block> expected_blocks(int root) const {
        if (!this->is_root(root)) return {};
        return {{0, all_.span(), 0, this->size_ - 1}};
    }
    sonde::traffic traffic() const { return this->share(all_.payload(), 1); }
    int invoke(auto function, call_arguments const& a, auto... more) const {
        auto const call = this->with_last_arguments(function, a, more...);
        return call(this->sendbuf(a), a.recvbuf, all_.counts(), all_.type(), op_);
    }

protected:
    Layout all_;

private:
    MPI_Op op_;
};

/// Rank r receives block r of the reduction over all ranks.
template <class Layout>
class reduce_scatter_base : public reduction_base<false, Layout, true> {
public:
    using reduction_base<false, Layout, true>::reduction_base;

    std::size_t recv_bytes() const { return this->in_place_ ? this->all_.span() : this->all_.span(this->self()); }
    std::vector<expected_block> expected_blocks(int) const {
        return {{0, this->all_.span(this->self()), 0, this->size_ - 1, all_ranks, this->all_.offset(this->self())}};
    }
    sonde::traffic traffic() const { return this->share(this->all_.payload(), this->remote_fraction()); }
};

} // namespace detail

/// MPI_Allreduce: every rank receives the reduction over all ranks.
struct allreduce : detail::reduction_base<false> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Allreduce, Iallreduce);
    using reduction_base::reduction_base;

    sonde::traffic traffic() const { return share(all_.payload(), 2 * remote_fraction()); }
};

/// MPI_Scan: rank r receives the reduction over ranks 0 to r.
struct scan : detail::reduction_base<false> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Scan, Iscan);
    using reduction_base::reduction_base;

    std::vector<expected_block> expected_blocks(int) const { return {{0, all_.span(), 0, rank_}}; }
};

/// MPI_Exscan: rank r receives the reduction over ranks 0 to r - 1; rank 0 receives nothing.
struct exscan : detail::reduction_base<false> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Exscan, Iexscan);
    using reduction_base::reduction_base;

    std::vector<expected_block> expected_blocks(int) const {
        if (rank_ == 0) return {};
        return {{0, all_.span(), 0, rank_ - 1}};
    }
};

/// MPI_Reduce: the root receives the reduction over all ranks.
struct reduce : detail::reduction_base<true> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Reduce, Ireduce);
    using reduction_base::reduction_base;
};

/// MPI_Reduce_scatter_block: rank r receives block r of the reduction over all ranks.
struct reduce_scatter_block : detail::reduce_scatter_base<detail::uniform_layout> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Reduce_scatter_block, Ireduce_scatter_block);
    using reduce_scatter_base::reduce_scatter_base;
};

/// MPI_Reduce_scatter: as reduce_scatter_block, with blocks of different lengths.
struct reduce_scatter : detail::reduce_scatter_base<detail::varying_layout> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Reduce_scatter, Ireduce_scatter);

    /// `counts`: elements of each rank's block, equal on all ranks.
    reduce_scatter(group_ref ranks, MPI_Datatype type, std::vector<std::size_t> const& counts, MPI_Op op,
                   buffers used = buffers::out_of_place)
        : reduce_scatter_base{ranks, blocks::packed(type, counts), op, used} {}
};

} // namespace sonde::mpi
