// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/error.hpp>

#include <cuda_runtime_api.h>

#include <utility>

namespace sonde::cuda {

/// All that was put into the stream before is done.
inline void synchronize(cudaStream_t stream) { check(cudaStreamSynchronize(stream), "cudaStreamSynchronize"); }

/// A stream of the current device, owned. It does not wait for the default stream, nor that for it.
class [[nodiscard]] stream {
public:
    stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags"); }
    stream(stream&& other) noexcept : stream_{std::exchange(other.stream_, nullptr)} {}
    stream& operator=(stream&&) = delete;
    ~stream() {
        if (stream_ != nullptr) cudaStreamDestroy(stream_);
    }

    operator cudaStream_t() const& { return stream_; }
    operator cudaStream_t() const&& = delete; // a temporary destroys the stream at once
    void synchronize() const { cuda::synchronize(stream_); }
    /// Is all that was put into it done?
    bool query() const { return detail::is_over(cudaStreamQuery(stream_), "cudaStreamQuery"); }

private:
    cudaStream_t stream_ = nullptr;
};

} // namespace sonde::cuda
