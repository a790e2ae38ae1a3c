// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/error.hpp>
#include <sonde/nccl/communicator.hpp>
#include <sonde/nccl/unwinding.hpp>
#include <sonde/nccl/wait.hpp>

#include <cuda_runtime_api.h>

namespace sonde::nccl::detail {

/// A communicator and a stream that somebody uses. Where an exception ends that, and something is left in the stream,
/// the communicator is aborted.
class use {
public:
    use(communicator& ranks, cudaStream_t stream) : ranks_{&ranks}, stream_{stream} {}
    use(use const&) = default;
    use& operator=(use const&) = default;
    ~use() {
        // Memory that was made after the communicator is freed before it, and that waits for what is under way.
        if (unwinding_.happens() && !is_quiet()) ranks_->abort();
    }

    communicator& ranks() const { return *ranks_; }
    cudaStream_t stream() const { return stream_; }

private:
    bool is_quiet() const try { return is_over(stream_); } catch (cuda::error const&) {
        return false;
    }

    communicator* ranks_;
    cudaStream_t stream_;
    unwinding unwinding_;
};

} // namespace sonde::nccl::detail
