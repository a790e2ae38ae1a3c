// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/cuda/stream.hpp>
#include <sonde/nccl/queue.hpp>
#include <sonde/nccl/wait.hpp>

#include <concepts>

namespace nccl_wait_concept {

// [satisfies]
struct patient { // looks: a failure is an exception
    template <class Watch>
    void operator()(cudaStream_t stream, Watch&& watch) {
        while (cudaStreamQuery(stream) == cudaErrorNotReady) watch();
    }
};
struct trusting { // does not
    void operator()(cudaStream_t stream) { cudaStreamSynchronize(stream); }
};
static_assert(sonde::nccl::Wait<patient>);
static_assert(sonde::nccl::Wait<trusting>);
// [/satisfies]

using sonde::nccl::Wait;

static_assert(Wait<sonde::nccl::polling<>> && Wait<sonde::nccl::synchronizing>);
static_assert(Wait<void (*)(cudaStream_t)>);

// [misses]
struct waits_for_nothing { void operator()(); };                 // for which stream?
struct never_called { void wait(cudaStream_t); };
struct for_an_event { void operator()(cudaEvent_t); };
static_assert(!Wait<waits_for_nothing>);
static_assert(!Wait<never_called>);
static_assert(!Wait<for_an_event>);
// [/misses]

// A queue refers to its communicator and its stream, so neither may be a temporary.
using sonde::nccl::communicator, sonde::nccl::queue;
static_assert(std::constructible_from<queue<>, communicator&, sonde::cuda::stream const&>);
static_assert(!std::constructible_from<queue<>, communicator, sonde::cuda::stream const&>);
static_assert(!std::constructible_from<queue<>, communicator&, sonde::cuda::stream>);

} // namespace nccl_wait_concept
