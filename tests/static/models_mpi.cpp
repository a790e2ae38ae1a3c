// SPDX-License-Identifier: BSL-1.0

// Compiling is passing: types of sonde::mpi satisfy the concepts.

#include <sonde/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/collective.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/rma.hpp>
#include <sonde/sync/synchronized_start.hpp>
#include <sonde/measure/overlap.hpp>
#include <sonde/pattern/one_sided.hpp>

#include <concepts>
#include <utility>

namespace models_mpi {

using namespace sonde::mpi;
using sonde::CollectiveOperation, sonde::RootedOperation;

static_assert(std::derived_from<error, sonde::library_error>);

// Group, Clock, ControlChannel, Synchronizer, Memory
static_assert(sonde::Group<group> && sonde::Group<group const>);
static_assert(sonde::Clock<wtime> && sonde::ControlChannel<control_channel>);
static_assert(sonde::Synchronizer<sonde::dissemination_barrier, group> &&
              sonde::Synchronizer<decltype(sonde::synchronized_start{std::declval<group const&>()}), group>);
static_assert(sonde::Memory<alloc_mem>);

// CollectiveOperation, RootedOperation
template <class... Op>
constexpr bool collectives = (CollectiveOperation<Op> && ...);
template <class... Op>
constexpr bool rooted = (RootedOperation<Op> && ...);
template <class... Op>
constexpr bool without_root = (!RootedOperation<Op> && ...);

static_assert(rooted<bcast, gather, gatherv, reduce, scatter, scatterv>);
static_assert(collectives<allgather, allgatherv, allreduce, alltoall, alltoallv, alltoallw, barrier, exscan,
                          reduce_scatter, reduce_scatter_block, scan>);
static_assert(without_root<allgather, allgatherv, allreduce, alltoall, alltoallv, alltoallw, barrier, exscan,
                           reduce_scatter, reduce_scatter_block, scan>);
static_assert(collectives<neighbor_allgather, neighbor_allgatherv, neighbor_alltoall, neighbor_alltoallv,
                          neighbor_alltoallw>);
static_assert(without_root<neighbor_allgather, neighbor_allgatherv, neighbor_alltoall, neighbor_alltoallv,
                           neighbor_alltoallw>);

// The three call modes are patterns, of any buffers; those with a request are nonblocking operations.
static_assert(sonde::Pattern<blocking<allreduce>> && !sonde::NonblockingOperation<blocking<allreduce>>);
static_assert(sonde::NonblockingOperation<nonblocking<allreduce>>);
static_assert(sonde::Pattern<blocking<gather, sonde::rotating, sonde::slice>>);
#if SONDE_MPI_PERSISTENT_COLLECTIVES
static_assert(sonde::NonblockingOperation<persistent<allreduce>> &&
              sonde::NonblockingOperation<persistent<gather, sonde::rotating, sonde::slice>>);
#endif

// Epoch, Transfer
static_assert(sonde::Epoch<fence> && !sonde::PassiveEpoch<fence>);
static_assert(sonde::Epoch<pscw> && !sonde::PassiveEpoch<pscw>);
static_assert(sonde::PassiveEpoch<sonde::mpi::lock> && sonde::PassiveEpoch<lock_all>);
static_assert(sonde::PassiveEpoch<flush<>> && sonde::PassiveEpoch<flush_local<peers>>);
static_assert(sonde::PassiveEpoch<flush_all> && sonde::PassiveEpoch<flush_local_all>);

static_assert(Targets<peer> && Targets<peers> && !Targets<int>);
template <class T>
constexpr bool in_every_epoch = sonde::TransferIn<T, fence> && sonde::TransferIn<T, pscw> &&
                                sonde::TransferIn<T, sonde::mpi::lock> && sonde::TransferIn<T, flush_all>;
static_assert(in_every_epoch<put<>> && in_every_epoch<get<peers>> && in_every_epoch<accumulate<>>);
static_assert(in_every_epoch<get_accumulate<>> && in_every_epoch<fetch_and_op<>>);
static_assert(in_every_epoch<compare_and_swap<peers>>);

// Request-based calls are for passive targets only, and some operations have none.
static_assert(sonde::TransferIn<request_based_transfer<put<>>, flush<>> && sonde::TransferIn<request_based_transfer<get<peers>>, lock_all>);
static_assert(!sonde::TransferIn<request_based_transfer<put<>>, fence> && !sonde::TransferIn<request_based_transfer<put<>>, pscw>);
static_assert(!sonde::TransferIn<request_based_transfer<accumulate<>>, fence>);
static_assert(Requestable<put<>> && Requestable<get<>> && Requestable<accumulate<>> && Requestable<get_accumulate<>>);
static_assert(!Requestable<fetch_and_op<>> && !Requestable<compare_and_swap<>>);

} // namespace models_mpi
