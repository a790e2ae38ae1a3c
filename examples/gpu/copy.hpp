// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/cuda/cuda.hpp>
#include <sonde/pattern.hpp>

#include <cuda_runtime_api.h>

namespace gpu {

/// A copy that is put on a stream; complete when the stream has come so far.
class copying {
public:
    copying(sonde::opaque_region to, sonde::opaque_region from, cudaStream_t on) : to_{to}, from_{from}, stream_{on} {}

    void operator()() const {
        auto const code = cudaMemcpyAsync(to_.data(), from_.data(), to_.size(), cudaMemcpyDefault, stream_);
        sonde::cuda::check(code, "cudaMemcpyAsync");
    }
    void complete() const { sonde::cuda::synchronize(stream_); }
    sonde::traffic moves() const { return {.bytes = to_.size(), .messages = 1}; }

protected:
    sonde::opaque_region to_;
    sonde::opaque_region from_;
    cudaStream_t stream_;
};

/// A copy with a beginning and an end, between which work fits: a sonde::NonblockingOperation.
struct copy : copying {
    using copying::copying;
    void start() const { copying::operator()(); }
    bool test() const { return cudaStreamQuery(stream_) == cudaSuccess; }
    void wait() const { complete(); }
    void operator()() const {
        start();
        wait();
    }
};

} // namespace gpu
