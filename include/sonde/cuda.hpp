// SPDX-License-Identifier: BSL-1.0
#pragma once

// The GPU layer for CUDA; it needs cuda_runtime_api.h and nothing else of CUDA.

#include <sonde/gpu/memory.hpp>
#include <sonde/gpu/stream.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <utility>

namespace sonde::inline v0_1::cuda {

#define SONDE_GPU(name) cuda##name
#define SONDE_GPU_PREFIX "cuda"

/// Description of the CUDA runtime.
struct runtime {
    using properties_type = cudaDeviceProp;
    using attribute_type = cudaDeviceAttr;
    using pointer_type = cudaPointerAttributes;
#include <sonde/gpu/runtime.inc>

    static constexpr auto scope = "sonde::cuda";
    static constexpr auto addresses = device_runtime::cuda;
    static constexpr auto name = "CUDA", vendor = "NVIDIA";
    static constexpr auto concurrent_access = cudaDevAttrConcurrentManagedAccess;
    static constexpr function<void**, std::size_t, unsigned> allocate_pinned{"cudaHostAlloc", cudaHostAlloc};
    static constexpr function<void*> free_pinned{"cudaFreeHost", cudaFreeHost};

    static cudaUUID_t uuid(int device) { return gpu::value_of(properties, device).uuid; }
    /// "12.2" for 12020.
    static std::string version_text(int version) {
        return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    }
    static cudaError_t migrate(void const* bytes, std::size_t n, int device, cudaStream_t in) {
#if CUDART_VERSION >= 13000
        auto const on_host = device == host;
        cudaMemLocation const to{on_host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, on_host ? 0 : device};
        return cudaMemPrefetchAsync(bytes, n, to, 0, in);
#else
        return cudaMemPrefetchAsync(bytes, n, device, in);
#endif
    }
    static constexpr function<void const*, std::size_t, int, cudaStream_t> prefetch{"cudaMemPrefetchAsync", migrate};
};

#undef SONDE_GPU
#undef SONDE_GPU_PREFIX

#include <sonde/gpu/names.inc>

} // namespace sonde::cuda
