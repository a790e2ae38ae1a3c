// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/nccl/link.hpp>

struct my_checking_wait { // a failed operation throws nccl::error
    template <class Check>
    void operator()(cudaStream_t stream, Check&& check) {
        while (cudaStreamQuery(stream) == cudaErrorNotReady) check();
    }
};
struct my_wait { // never returns after a failure
    void operator()(cudaStream_t stream) { cudaStreamSynchronize(stream); }
};
static_assert(sonde::nccl::Wait<my_checking_wait>);
static_assert(sonde::nccl::Wait<my_wait>);
// [/satisfies]

namespace nccl_wait_concept {

using sonde::nccl::Wait;

static_assert(Wait<sonde::nccl::polling<>> && Wait<sonde::nccl::stream_synchronize>);
static_assert(Wait<void (*)(cudaStream_t)>);

struct without_stream { void operator()(); };
struct not_called { void wait(cudaStream_t); }; // no operator()
struct for_an_event { void operator()(cudaEvent_t); };
static_assert(!Wait<without_stream> && !Wait<not_called> && !Wait<for_an_event>);

} // namespace nccl_wait_concept
