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

/// Description of the CUDA runtime.
struct runtime {
    using properties_type = cudaDeviceProp;
    using attribute_type = cudaDeviceAttr;
    using pointer_type = cudaPointerAttributes;
    using error_type = cudaError_t;
    using stream_type = cudaStream_t;
    using event_type = cudaEvent_t;
    template <class... Args>
    using function = gpu::function<runtime, error_type, Args...>;

    static constexpr auto scope = "sonde::cuda";
    static constexpr auto addresses = device_runtime::cuda;
    static constexpr auto name = "CUDA", vendor = "NVIDIA";

    // Errors.
    static constexpr auto success = cudaSuccess, not_ready = cudaErrorNotReady, no_device = cudaErrorNoDevice,
                          old_driver = cudaErrorInsufficientDriver, out_of_memory = cudaErrorMemoryAllocation;
    static constexpr auto error_text = cudaGetErrorString;
    static constexpr auto last_error = cudaGetLastError, peek_at_last_error = cudaPeekAtLastError;

    // Versions and devices.
    static constexpr function<int*> driver_version{"cudaDriverGetVersion", cudaDriverGetVersion};
    static constexpr function<int*> runtime_version{"cudaRuntimeGetVersion", cudaRuntimeGetVersion};
    static constexpr function<int*> device_count{"cudaGetDeviceCount", cudaGetDeviceCount};
    static constexpr function<int*> current_device{"cudaGetDevice", cudaGetDevice};
    static constexpr function<int> set_device{"cudaSetDevice", cudaSetDevice};
    static constexpr function<properties_type*, int> properties{"cudaGetDeviceProperties", cudaGetDeviceProperties};
    static constexpr function<int*, attribute_type, int> attribute{"cudaDeviceGetAttribute", cudaDeviceGetAttribute};
    static constexpr auto concurrent_access = cudaDevAttrConcurrentManagedAccess;
    static constexpr int host = cudaCpuDeviceId;
    static constexpr function<std::size_t*, std::size_t*> memory_info{"cudaMemGetInfo", cudaMemGetInfo};

    // Memory.
    static constexpr function<void**, std::size_t> allocate{"cudaMalloc", cudaMalloc};
    static constexpr function<void**, std::size_t, unsigned> allocate_pinned{"cudaHostAlloc", cudaHostAlloc};
    static constexpr function<void*> free_pinned{"cudaFreeHost", cudaFreeHost};
    static constexpr function<void**, std::size_t, unsigned> allocate_managed{"cudaMallocManaged", cudaMallocManaged};
    static constexpr unsigned managed_flags = cudaMemAttachGlobal;
    static constexpr function<void*> free{"cudaFree", cudaFree};
    static constexpr function<void*, int, std::size_t> set{"cudaMemset", cudaMemset};
    static constexpr auto to_device = cudaMemcpyHostToDevice, to_host = cudaMemcpyDeviceToHost;
    static constexpr function<void*, void const*, std::size_t, cudaMemcpyKind> copy{"cudaMemcpy", cudaMemcpy};
    static constexpr function<pointer_type*, void const*> pointer{"cudaPointerGetAttributes", cudaPointerGetAttributes};

    // Streams and events.
    static constexpr unsigned stream_flags = cudaStreamNonBlocking, event_flags = cudaEventDefault;
    static constexpr function<stream_type*, unsigned> create_stream{"cudaStreamCreateWithFlags",
                                                                    cudaStreamCreateWithFlags};
    static constexpr function<stream_type> destroy_stream{"cudaStreamDestroy", cudaStreamDestroy};
    static constexpr function<stream_type> query_stream{"cudaStreamQuery", cudaStreamQuery};
    static constexpr function<stream_type> synchronize_stream{"cudaStreamSynchronize", cudaStreamSynchronize};
    static constexpr function<event_type*, unsigned> create_event{"cudaEventCreateWithFlags", cudaEventCreateWithFlags};
    static constexpr function<event_type> destroy_event{"cudaEventDestroy", cudaEventDestroy};
    static constexpr function<event_type> query_event{"cudaEventQuery", cudaEventQuery};
    static constexpr function<event_type> synchronize_event{"cudaEventSynchronize", cudaEventSynchronize};
    static constexpr function<event_type, stream_type> record_event{"cudaEventRecord", cudaEventRecord};
    static constexpr function<float*, event_type, event_type> elapsed_time{"cudaEventElapsedTime",
                                                                           cudaEventElapsedTime};

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

// The GPU layer for this runtime: <sonde/gpu.hpp>, <sonde/gpu/memory.hpp> and <sonde/gpu/stream.hpp> explain the names.

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

inline void check(runtime::error_type code, char const* call) { gpu::check<runtime>(code, call); }
inline void synchronize(runtime::stream_type in) { runtime::synchronize_stream(in); }
/// True if all work in the stream is complete.
[[nodiscard]] inline bool is_complete(runtime::stream_type in) {
    return gpu::detail::is_complete(runtime::query_stream, in);
}
inline void prefetch(opaque_region r, location to, runtime::stream_type in) { gpu::prefetch<runtime>(r, to, in); }
[[nodiscard]] inline std::string version_text(int version) { return runtime::version_text(version); }
[[nodiscard]] inline int driver_version() { return gpu::value_of(runtime::driver_version); }
[[nodiscard]] inline int runtime_version() { return gpu::value_of(runtime::runtime_version); }
[[nodiscard]] inline int current_device() { return gpu::value_of(runtime::current_device); }
[[nodiscard]] inline std::size_t free_memory() { return gpu::free_memory<runtime>(); }
[[nodiscard]] inline bool can_prefetch() { return gpu::can_prefetch<runtime>(); }
[[nodiscard]] inline device_properties properties_of(int device) { return gpu::properties_of<runtime>(device); }
inline int device_count() { return gpu::device_count<runtime>(); }
device_choice choose_device(Group auto& ranks, int local) { return gpu::choose_device<runtime>(ranks, local); }

/// See sonde::gpu::iteration_events.
template <Pattern P>
struct iteration_events : gpu::iteration_events<runtime, P> {
    iteration_events(std::size_t count, runtime::stream_type in, P&& pattern)
        : gpu::iteration_events<runtime, P>{count, in, std::forward<P>(pattern)} {}
};
template <class P>
iteration_events(std::size_t, runtime::stream_type, P&&) -> iteration_events<P>;

} // namespace sonde::cuda
