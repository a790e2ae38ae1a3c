// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/nccl/communicator.hpp>
#include <sonde/nccl/wait.hpp>

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <concepts>
#include <utility>

namespace sonde::nccl {

/// Where operations are enqueued: a stream of the communicator's device, and how it is waited for.
///
/// Links and collectives hold a copy. It refers to the communicator and to the stream, which must outlive it.
template <Wait W = polling<>>
class queue {
public:
    queue(communicator& ranks, cudaStream_t stream, W wait = W{})
        : ranks_{&ranks}, stream_{stream}, wait_{std::move(wait)} {}

    ncclComm_t comm() const { return ranks_->get(); }
    int rank() const { return ranks_->rank(); }
    int size() const { return ranks_->size(); }
    cudaStream_t stream() const { return stream_; }

    bool is_over() const { return detail::is_over(stream_); }
    /// Throws nccl::error where something under way has failed and the wait looks.
    void wait() {
        auto watch = [this] { ranks_->require_well(); };
        if constexpr (std::invocable<W&, cudaStream_t, decltype(watch)&>) wait_(stream_, watch);
        else wait_(stream_);
    }

private:
    communicator* ranks_;
    cudaStream_t stream_;
    W wait_;
};

} // namespace sonde::nccl
