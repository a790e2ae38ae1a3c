// SPDX-License-Identifier: BSL-1.0
// Compiling is passing: types of sonde::nccl.
#include <sonde/cuda.hpp>
#include <sonde/error.hpp>
#include <sonde/measure/overlap.hpp>
#include <sonde/nccl/collectives.hpp>
#include <sonde/nccl/link.hpp>

#include <concepts>
#include <cstddef>
#include <vector>

namespace models_nccl {

using namespace sonde::nccl;

static_assert(std::derived_from<error, sonde::library_error> && std::derived_from<sonde::cuda::error, sonde::library_error>);

static_assert(!sonde::NonblockingOperation<stream_ordered<allreduce>>);
static_assert(sonde::NonblockingOperation<nonblocking<allreduce>>);

// A queue refers to its communicator and its stream, so neither may be a temporary.
static_assert(std::constructible_from<queue<>, communicator&, sonde::cuda::stream const&>);
static_assert(!std::constructible_from<queue<>, communicator, sonde::cuda::stream const&> &&
              !std::constructible_from<queue<>, communicator&, sonde::cuda::stream>);

} // namespace models_nccl

// Compiling is passing.

/// A user-defined collective: every rank sends a float to its right neighbor.
struct my_shift {
    static constexpr auto name = "shift by ncclSend and ncclRecv";
    int rank, size;

    std::size_t send_bytes() const { return sizeof(float); }
    std::size_t recv_bytes() const { return sizeof(float); }
    std::vector<sonde::contribution> contributions(int) const { return {{0, sizeof(float), (rank + 1) % size}}; }
    std::vector<sonde::expected_block> expected_blocks(int) const {
        auto const left = (rank + size - 1) % size;
        return {{0, sizeof(float), left, left, rank}};
    }
    sonde::traffic traffic() const { return {sizeof(float), 1, 1, 1, static_cast<std::size_t>(size)}; }
    void invoke(sonde::call_arguments a, ncclComm_t comm, cudaStream_t stream) const {
        sonde::nccl::check(ncclGroupStart(), "ncclGroupStart");
        ncclSend(a.sendbuf, 1, ncclFloat, (rank + 1) % size, comm, stream);
        ncclRecv(a.recvbuf, 1, ncclFloat, (rank + size - 1) % size, comm, stream);
        sonde::nccl::check(ncclGroupEnd(), name); // reports errors of the calls in the group
    }
};
static_assert(sonde::InvocableOperation<my_shift, ncclComm_t, cudaStream_t>);

namespace nccl_collective_operation_concept {

using namespace sonde::nccl;
using sonde::CollectiveOperation, sonde::RootedOperation, sonde::call_arguments;

static_assert(CollectiveOperation<allgather> && CollectiveOperation<allreduce> && CollectiveOperation<alltoall> &&
              CollectiveOperation<bcast> && CollectiveOperation<reduce> && CollectiveOperation<reduce_scatter>);
static_assert(RootedOperation<bcast> && RootedOperation<reduce> && !RootedOperation<allreduce>);
template <class P>
constexpr bool starts_and_waits = sonde::Pattern<P> && requires(P p, bool complete) {
    p.start();
    complete = p.test();
    p.wait();
};
static_assert(sonde::Pattern<stream_ordered<my_shift>> && !starts_and_waits<stream_ordered<my_shift>>);
static_assert(starts_and_waits<nonblocking<my_shift>>);

template <class Op>
concept Enqueued = sonde::InvocableOperation<Op, ncclComm_t, cudaStream_t>;
struct no_invoke : my_shift { void invoke() const; };
struct without_stream : my_shift { void invoke(call_arguments, ncclComm_t) const; };
struct invoke_not_const : my_shift { void invoke(call_arguments, ncclComm_t, cudaStream_t); }; // operations are constant
static_assert(!Enqueued<no_invoke> && !Enqueued<without_stream> && !Enqueued<invoke_not_const>);

} // namespace nccl_collective_operation_concept
