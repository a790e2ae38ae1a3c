// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collectives/blocks.hpp>
#include <sonde/mpi/collectives/operation.hpp>

#include <cstddef>
#include <utility>
#include <vector>

// Barrier, allgather and alltoall (MPI 4.0, 6.3, 6.7 and 6.8).

namespace sonde::mpi {

/// MPI_Barrier: no data; no rank leaves before every rank has entered.
class barrier : public detail::operation_base {
public:
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Barrier, Ibarrier);

    explicit barrier(group_ref ranks) : operation_base{ranks, in_place} {}

    std::size_t send_bytes() const { return 0; }
    std::size_t recv_bytes() const { return 0; }
    std::vector<contribution> contributions(int) const { return {}; }
    std::vector<expected_block> expected_blocks(int) const { return {}; }
    traffic moves() const { return share(0, 1); }
    template <class F, class... More>
    int invoke(F function, call_arguments const&, More... more) const {
        return function(comm_, more...);
    }
};

namespace detail {

/// Every rank receives a block of every rank; in place, its own block is in the receive buffer already.
template <class Layout>
class allgather_base : public operation_base {
public:
    /// `all`: the blocks as every rank receives them, equal on all ranks.
    allgather_base(group_ref group, typename Layout::description all, buffers used = buffers::out_of_place)
        : operation_base{group, used}, all_{std::move(all), ranks()} {}

    std::size_t send_bytes() const { return in_place_ ? 0 : all_.span(self()); }
    std::size_t recv_bytes() const { return all_.span(); }
    std::vector<contribution> contributions(int) const {
        return {{in_place_ ? all_.offset(self()) : 0, all_.span(self()), all_ranks, in_place_}};
    }
    std::vector<expected_block> expected_blocks(int) const { return block_from_each_rank(all_); }
    traffic moves() const { return share(all_.payload(), remote_fraction()); }
    template <class F, class... More>
    int invoke(F function, call_arguments const& a, More... more) const {
        return all_.arguments([&](auto... blocks) {
            return function(sendbuf(a), all_.count(self()), all_.type(), a.recvbuf, blocks..., comm_, more...);
        });
    }

protected:
    Layout all_;
};

/// Every rank has a block for every rank; in place, received blocks replace the blocks that were sent.
template <class Layout>
class alltoall_base : public operation_base {
public:
    using description = typename Layout::description;

    /// `out`: the block for each rank; `in`: the block of each rank; in place, `in` is both.
    alltoall_base(group_ref group, description out, description in, buffers used = buffers::out_of_place)
        : operation_base{group, used}, out_{std::move(out), ranks()}, in_{std::move(in), ranks()} {}

    std::size_t send_bytes() const { return in_place_ ? 0 : out_.span(); }
    std::size_t recv_bytes() const { return in_.span(); }
    std::vector<contribution> contributions(int) const {
        return block_for_each_rank(in_place_ ? in_ : out_, in_place_);
    }
    std::vector<expected_block> expected_blocks(int) const { return block_from_each_rank(in_, rank_); }
    traffic moves() const { return share(in_.payload(), remote_fraction()); }
    template <class F, class... More>
    int invoke(F function, call_arguments const& a, More... more) const {
        return out_.arguments([&](auto... out) {
            return in_.arguments(
                [&](auto... in) { return function(sendbuf(a), out..., a.recvbuf, in..., comm_, more...); });
        });
    }

protected:
    Layout out_;
    Layout in_;
};

} // namespace detail

/// MPI_Allgather: every rank receives a block of every rank.
class allgather : public detail::allgather_base<detail::uniform_layout> {
public:
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Allgather, Iallgather);
    using allgather_base::allgather_base;
};

/// MPI_Allgatherv: as allgather, with blocks of different lengths.
class allgatherv : public detail::allgather_base<detail::varying_layout<blocks>> {
public:
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Allgatherv, Iallgatherv);
    using allgather_base::allgather_base;
};

/// MPI_Alltoall: every rank receives a block of every rank, each meant for it alone.
class alltoall : public detail::alltoall_base<detail::uniform_layout> {
public:
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Alltoall, Ialltoall);

    alltoall(group_ref ranks, block each, buffers used = buffers::out_of_place)
        : alltoall_base{ranks, each, each, used} {}
};

/// MPI_Alltoallv: as alltoall, with blocks of different lengths.
class alltoallv : public detail::alltoall_base<detail::varying_layout<blocks>> {
public:
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Alltoallv, Ialltoallv);
    using alltoall_base::alltoall_base;
};

/// MPI_Alltoallw: as alltoall, with blocks of different lengths and datatypes.
class alltoallw : public detail::alltoall_base<detail::varying_layout<mixed_type_blocks<int>>> {
public:
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Alltoallw, Ialltoallw);
    using alltoall_base::alltoall_base;
};

} // namespace sonde::mpi
