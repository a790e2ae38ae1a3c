// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collective/blocks.hpp>
#include <sonde/mpi/collective/operation.hpp>
#include <sonde/mpi/collective/rooted.hpp>

#include <cstddef>
#include <utility>
#include <vector>

// Barrier, allgather and alltoall (MPI 4.0, 6.3, 6.7 and 6.8).

namespace sonde::mpi {

/// MPI_Barrier: no data; no rank leaves before every rank has entered.
struct barrier : detail::rootless_operation {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Barrier, Ibarrier);

    explicit barrier(group_ref ranks) : basic_operation{ranks, 0, in_place} {}

    std::size_t send_bytes() const { return 0; }
    std::size_t recv_bytes() const { return 0; }
    std::vector<contribution> contributions(int) const { return {}; }
    std::vector<expected_block> expected_blocks(int) const { return {}; }
    sonde::traffic traffic() const { return share(0, 1); }
    int invoke(auto function, call_arguments const&, auto... more) const { return function(comm_, more...); }
};

/// MPI_Allgather: every rank receives a block of every rank.
struct allgather : detail::gather_base<false, detail::uniform_layout> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Allgather, Iallgather);

    allgather(group_ref ranks, block each, buffers used = buffers::out_of_place) : gather_base{ranks, each, 0, used} {}
};

/// MPI_Allgatherv: as allgather, with blocks of different lengths.
struct allgatherv : detail::gather_base<false, detail::varying_layout> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Allgatherv, Iallgatherv);

    allgatherv(group_ref ranks, blocks all, buffers used = buffers::out_of_place)
        : gather_base{ranks, std::move(all), 0, used} {}
};

namespace detail {

/// Every rank has a block for every rank; in place, received blocks replace the blocks that were sent.
template <class Layout>
class alltoall_base : public rootless_operation {
public:
    using description = typename Layout::description;

    /// `out`: the block for each rank; `in`: the block of each rank; in place, `in` is both.
    alltoall_base(group_ref group, description out, description in, buffers used = buffers::out_of_place)
        : basic_operation{group, 0, used}, out_{std::move(out), ranks()}, in_{std::move(in), ranks()} {}

    std::size_t send_bytes() const { return in_place_ ? 0 : out_.span(); }
    std::size_t recv_bytes() const { return in_.span(); }
    std::vector<contribution> contributions(int) const { return block_for_each(in_place_ ? in_ : out_, in_place_); }
    std::vector<expected_block> expected_blocks(int) const { return block_from_each(in_, rank_); }
    sonde::traffic traffic() const { return share(in_.payload(), remote_fraction()); }
    int invoke(auto function, call_arguments const& a, auto... more) const {
        return out_.arguments([&](auto... out) {
            return in_.arguments(
                [&](auto... in) { return function(sendbuf(a), out..., a.recvbuf, in..., comm_, more...); });
        });
    }

private:
    Layout out_;
    Layout in_;
};

} // namespace detail

/// MPI_Alltoall: every rank receives a block of every rank, each meant for it alone.
struct alltoall : detail::alltoall_base<detail::uniform_layout> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Alltoall, Ialltoall);

    alltoall(group_ref ranks, block each, buffers used = buffers::out_of_place)
        : alltoall_base{ranks, each, each, used} {}
};

/// MPI_Alltoallv: as alltoall, with blocks of different lengths.
struct alltoallv : detail::alltoall_base<detail::varying_layout> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Alltoallv, Ialltoallv);
    using alltoall_base::alltoall_base;
};

/// MPI_Alltoallw: as alltoall, with blocks of different lengths and datatypes.
struct alltoallw : detail::alltoall_base<detail::layout<mixed_type_blocks<int>>> {
    static constexpr auto functions = SONDE_MPI_FUNCTIONS(Alltoallw, Ialltoallw);
    using alltoall_base::alltoall_base;
};

} // namespace sonde::mpi
