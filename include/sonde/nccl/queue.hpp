// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/nccl/communicator.hpp>
#include <sonde/nccl/grouped.hpp>
#include <sonde/nccl/use.hpp>
#include <sonde/nccl/wait.hpp>

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <concepts>
#include <utility>

namespace sonde::nccl {

/// Where operations are enqueued: a stream of the communicator's device, and how it is waited for.
///
/// Links and collectives hold a copy. It refers to the communicator and to the stream, which must outlive it.
///
/// Where an exception ends it with something left in its stream, it aborts the communicator. Thus stream and
/// communicator come first, then the device memory, then a queue or what holds a copy: to free that memory is to wait
/// for what is under way, which may never be over.
template <Wait W = polling<>>
class queue {
public:
    queue(communicator& ranks, cudaStream_t stream, W wait = W{}) : use_{ranks, stream}, wait_{std::move(wait)} {}

    ncclComm_t comm() const { return use_.ranks().get(); }
    int rank() const { return use_.ranks().rank(); }
    int size() const { return use_.ranks().size(); }
    cudaStream_t stream() const { return use_.stream(); }

    bool is_over() const { return detail::is_over(stream()); }
    /// Throws nccl::error where something under way has failed and the wait looks, and std::logic_error between isend
    /// or irecv and wait_all of any link of this thread: nothing is under way then, and nothing would be waited for.
    void wait() {
        detail::require_no_group();
        auto watch = [this] { use_.ranks().require_well(); };
        if constexpr (std::invocable<W&, cudaStream_t, decltype(watch)&>) wait_(stream(), watch);
        else wait_(stream());
    }

private:
    detail::use use_;
    W wait_;
};

} // namespace sonde::nccl
