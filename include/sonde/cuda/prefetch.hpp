// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/cuda/device.hpp>
#include <sonde/cuda/error.hpp>

#include <cuda_runtime_api.h>

namespace sonde::cuda {

/// Where the pages of managed memory lie: with the host, or with the current device.
enum class location : unsigned char { host, device };

/// Can pages of managed memory be put somewhere? Only where host and device may use it at the same time.
[[nodiscard]] inline bool can_prefetch() {
    int can = 0;
    check(cudaDeviceGetAttribute(&can, cudaDevAttrConcurrentManagedAccess, current_device()), "cudaDeviceGetAttribute");
    return can != 0;
}

namespace detail {

inline cudaError_t prefetch(opaque_region bytes, location where, cudaStream_t on) {
    auto const to_device = where == location::device;
#if CUDART_VERSION >= 13000
    cudaMemLocation const to{to_device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost,
                             to_device ? current_device() : 0};
    return cudaMemPrefetchAsync(bytes.data(), bytes.size(), to, 0, on);
#else
    return cudaMemPrefetchAsync(bytes.data(), bytes.size(), to_device ? current_device() : cudaCpuDeviceId, on);
#endif
}

} // namespace detail

/// Put the pages of managed memory somewhere, in the order of the stream. Throws cuda::error, saying so, where the
/// device cannot (`can_prefetch`).
inline void prefetch(opaque_region bytes, location where, cudaStream_t on) {
    if (bytes.empty()) return;
    auto const code = detail::prefetch(bytes, where, on);
    if (code == cudaSuccess) return;
    static_cast<void>(cudaGetLastError());
    if (can_prefetch()) throw error{"cudaMemPrefetchAsync", code};
    throw error{"cudaMemPrefetchAsync", code,
                "pages of managed memory cannot be placed: host and this device cannot use it at the same time"};
}

} // namespace sonde::cuda
