// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/cuda/cuda.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstring>

namespace osu {

/// Callable that uses managed memory at a location, so that its pages migrate there; complete when it returns.
///
///     t(bytes)    device: prefetches the pages to the device, which sets every byte to 'c'
///                 host: sets every byte to 'c'; above 128 KiB, OMB's limit, only prefetches the pages to the host
///
/// With `preserve` no byte is changed, for messages that are validated. For a link that touches inside the sample:
/// `sonde::touched_link{link, managed_touch{location::device, stream}}`.
class managed_touch {
public:
    static constexpr std::size_t max_set_by_host = 131072;

    managed_touch(sonde::cuda::location where, cudaStream_t stream, bool preserve = false)
        : where_{where}, stream_{stream}, preserve_{preserve} {}

    void operator()(sonde::opaque_region bytes) const {
        if (bytes.empty()) return;
        if (where_ == sonde::cuda::location::host && bytes.size() <= max_set_by_host) {
            if (!preserve_) std::memset(bytes.data(), value, bytes.size());
            return;
        }
        sonde::cuda::prefetch(bytes, where_, stream_);
        if (where_ == sonde::cuda::location::device && !preserve_)
            sonde::cuda::check(cudaMemsetAsync(bytes.data(), value, bytes.size(), stream_), "cudaMemsetAsync");
        sonde::cuda::synchronize(stream_);
    }

private:
    static constexpr int value = 'c';

    sonde::cuda::location where_;
    cudaStream_t stream_;
    bool preserve_;
};

} // namespace osu
