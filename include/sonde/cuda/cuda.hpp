// SPDX-License-Identifier: BSL-1.0
#pragma once

// The GPU layer for CUDA; it needs cuda_runtime_api.h and nothing else of CUDA.

#include <sonde/gpu/device.hpp>
#include <sonde/gpu/event_clock.hpp>
#include <sonde/gpu/memory.hpp>
#include <sonde/gpu/runtime.hpp>
#include <sonde/gpu/stream.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <utility>

namespace sonde::cuda {

/// Description of the CUDA runtime.
struct runtime {
    using properties_type = cudaDeviceProp;
    using attribute_type = cudaDeviceAttr;
    using pointer_type = cudaPointerAttributes;
    SONDE_GPU_RUNTIME(cuda);
    static constexpr auto name = "CUDA", vendor = "NVIDIA";
    static constexpr auto concurrent_access = cudaDevAttrConcurrentManagedAccess;
    static constexpr function<void**, std::size_t, unsigned> allocate_pinned SONDE_GPU_NAMED(cudaHostAlloc);
    static constexpr function<void*> free_pinned SONDE_GPU_NAMED(cudaFreeHost);

    static cudaUUID_t uuid(int device) { return gpu::value_of(properties, device).uuid; }
    /// "12.2" for 12020.
    static std::string version_text(int version) {
        return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    }
    static cudaError_t prefetch_to(void const* bytes, std::size_t n, int device, cudaStream_t in) {
#if CUDART_VERSION >= 13000
        auto const on_host = device == host;
        cudaMemLocation const to{on_host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, on_host ? 0 : device};
        return cudaMemPrefetchAsync(bytes, n, to, 0, in);
#else
        return cudaMemPrefetchAsync(bytes, n, device, in);
#endif
    }
    static constexpr function<void const*, std::size_t, int, cudaStream_t> prefetch{"cudaMemPrefetchAsync",
                                                                                    prefetch_to};
};

using error = gpu::error<runtime>;
using stream = gpu::stream<runtime>;
using event = gpu::event<runtime>;
using time_point = gpu::time_point<runtime>;
using event_clock = gpu::event_clock<runtime>;
using device_memory = gpu::device_memory<runtime>;
using managed_memory = gpu::managed_memory<runtime>;
using pinned_memory = gpu::pinned_memory<runtime>;
using prefetcher = gpu::prefetcher<runtime>;
using gpu::device_choice, gpu::device_properties, gpu::elapsed, gpu::location, gpu::prefetch_range;
using sonde::without_completion;

inline void check(cudaError_t code, char const* call) { gpu::check<runtime>(code, call); }
inline void synchronize(cudaStream_t in) { runtime::synchronize_stream(in); }
[[nodiscard]] inline bool is_complete(cudaStream_t in) { return gpu::is_complete<runtime>(in); }
inline void prefetch(opaque_region bytes, location where, cudaStream_t in) { gpu::prefetch<runtime>(bytes, where, in); }
[[nodiscard]] inline std::string version_text(int version) { return runtime::version_text(version); }
[[nodiscard]] inline int driver_version() { return gpu::value_of(runtime::driver_version); }
[[nodiscard]] inline int runtime_version() { return gpu::value_of(runtime::runtime_version); }
[[nodiscard]] inline int current_device() { return gpu::value_of(runtime::current_device); }
[[nodiscard]] inline std::size_t free_memory() { return gpu::free_memory<runtime>(); }
[[nodiscard]] inline bool can_prefetch() { return gpu::can_prefetch<runtime>(); }
[[nodiscard]] inline device_properties properties_of(int device) { return gpu::properties_of<runtime>(device); }
inline int device_count() { return gpu::device_count<runtime>(); }
template <Group G>
device_choice choose_device(G& ranks, int local_rank) {
    return gpu::choose_device<runtime>(ranks, local_rank);
}

template <Pattern P>
struct iteration_events : gpu::iteration_events<runtime, P> {
    iteration_events(std::size_t count, cudaStream_t in, P pattern)
        : gpu::iteration_events<runtime, P>{count, in, std::move(pattern)} {}
};

} // namespace sonde::cuda
