// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collective/blocks.hpp>
#include <sonde/mpi/collective/operation.hpp>

#include <cstddef>
#include <utility>
#include <vector>

// Broadcast, gather and scatter (MPI 4.0, 6.4 to 6.6).

namespace sonde::mpi {

/// MPI_Bcast: every rank receives the root's block. All ranks have one buffer, the receive buffer.
class bcast : public detail::rooted_operation {
public:
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Bcast, Ibcast);

    bcast(group_ref ranks, block all, root_rank root = 0) : basic_operation{ranks, root, in_place}, all_{all, 1} {}

    std::size_t send_bytes() const { return 0; }
    std::size_t recv_bytes() const { return all_.span(); }
    std::vector<contribution> contributions(int root) const {
        if (!is_root(root)) return {};
        return {{0, all_.span(), all_ranks, true}};
    }
    std::vector<expected_block> expected_blocks(int root) const { return {{0, all_.span(), root, root}}; }
    sonde::traffic traffic() const { return share(all_.payload(), 1); }
    int invoke(auto function, call_arguments const& a, auto... more) const {
        return function(a.recvbuf, all_.count(), all_.type(), a.root, comm_, more...);
    }

private:
    detail::uniform_layout all_;
};

namespace detail {

/// The root, or without a root every rank, receives a block of every rank; in place, its own block is in the receive
/// buffer already.
template <bool Rooted, class Layout>
class gather_base : public basic_operation<Rooted> {
public:
    /// `all`: the blocks as they are received, equal on all ranks.
    gather_base(group_ref group, typename Layout::description all, root_rank root = 0,
                buffers used = buffers::out_of_place)
        : basic_operation<Rooted>{group, root, used}, all_{std::move(all), this->ranks()} {}

    std::size_t send_bytes() const { return this->is_always_in_place() ? 0 : all_.span(this->self()); }
    std::size_t recv_bytes() const { return this->is_ever_root() ? all_.span() : 0; }
    std::vector<contribution> contributions(int root) const {
        auto const in_recvbuf = this->is_in_place(root);
        return {{in_recvbuf ? all_.offset(this->self()) : 0, all_.span(this->self()), all_ranks, in_recvbuf}};
    }
    std::vector<expected_block> expected_blocks(int root) const {
        if (!this->is_root(root)) return {};
        return block_from_each(all_);
    }
    sonde::traffic traffic() const { return this->share(all_.payload(), this->remote_fraction()); }
    int invoke(auto function, call_arguments const& a, auto... more) const {
        auto const call = this->with_last_arguments(function, a, more...);
        return all_.arguments([&](auto... blocks) {
            return call(this->sendbuf(a), all_.count(this->self()), all_.type(), a.recvbuf, blocks...);
        });
    }

private:
    Layout all_;
};

/// Every rank receives its block from the root; in place, the root's own block stays in the send buffer.
template <class Layout>
class scatter_base : public rooted_operation {
public:
    /// `all`: the blocks as the root sends them, equal on all ranks.
    scatter_base(group_ref group, typename Layout::description all, root_rank root = 0,
                 buffers used = buffers::out_of_place)
        : basic_operation{group, root, used}, all_{std::move(all), ranks()} {}

    std::size_t send_bytes() const { return is_ever_root() ? all_.span() : 0; }
    std::size_t recv_bytes() const { return is_always_in_place() ? 0 : all_.span(self()); }
    std::vector<contribution> contributions(int root) const {
        if (!is_root(root)) return {};
        return block_for_each(all_);
    }
    std::vector<expected_block> expected_blocks(int root) const {
        if (is_in_place(root)) return {};
        return {{0, all_.span(self()), root, root, rank_}};
    }
    sonde::traffic traffic() const { return share(all_.payload(), remote_fraction()); }
    int invoke(auto function, call_arguments const& a, auto... more) const {
        auto* const recvbuf = is_in_place(a.root) ? MPI_IN_PLACE : a.recvbuf;
        return all_.arguments([&](auto... blocks) {
            return function(a.sendbuf, blocks..., recvbuf, all_.count(self()), all_.type(), a.root, comm_, more...);
        });
    }

private:
    Layout all_;
};

} // namespace detail

/// MPI_Gather: the root receives a block of every rank.
struct gather : detail::gather_base<true, detail::uniform_layout> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Gather, Igather);
    using gather_base::gather_base;
};

/// MPI_Gatherv: as gather, with blocks of different lengths.
struct gatherv : detail::gather_base<true, detail::varying_layout> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Gatherv, Igatherv);
    using gather_base::gather_base;
};

/// MPI_Scatter: every rank receives a block of the root.
struct scatter : detail::scatter_base<detail::uniform_layout> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Scatter, Iscatter);
    using scatter_base::scatter_base;
};

/// MPI_Scatterv: as scatter, with blocks of different lengths.
struct scatterv : detail::scatter_base<detail::varying_layout> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Scatterv, Iscatterv);
    using scatter_base::scatter_base;
};

} // namespace sonde::mpi
