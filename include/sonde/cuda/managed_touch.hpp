// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/cuda/error.hpp>
#include <sonde/cuda/prefetch.hpp>
#include <sonde/cuda/stream.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstring>

namespace sonde::cuda {

/// Managed memory is used where it belongs, so that its pages are there, and complete when this returns.
///
///     t(bytes)    device: pages to the device, every byte set by it
///                 host: every byte set to 'c', of more than 128 KiB (the suite's limit) only the pages fetched
///
/// One that preserves sets nothing, for contents that are checked. A link that touches inside the sample:
/// `sonde::touched{link, touch{location::device, stream}}` (touched.hpp).
class touch {
public:
    static constexpr std::size_t sets_by_host = 131072;

    touch(location where, cudaStream_t on, bool preserves = false)
        : where_{where}, stream_{on}, preserves_{preserves} {}

    void operator()(opaque_region bytes) const {
        if (bytes.empty()) return;
        if (where_ == location::host && bytes.size() <= sets_by_host) {
            if (!preserves_) std::memset(bytes.data(), value, bytes.size());
            return;
        }
        prefetch(bytes, where_, stream_);
        if (where_ == location::device && !preserves_)
            check(cudaMemsetAsync(bytes.data(), value, bytes.size(), stream_), "cudaMemsetAsync");
        synchronize(stream_);
    }

private:
    static constexpr int value = 'c';

    location where_;
    cudaStream_t stream_;
    bool preserves_;
};

} // namespace sonde::cuda
