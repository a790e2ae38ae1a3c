// SPDX-License-Identifier: BSL-1.0
#pragma once

// The GPU layer for HIP; it needs hip/hip_runtime_api.h and nothing else of HIP.

#include <sonde/gpu/memory.hpp>
#include <sonde/gpu/stream.hpp>

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <string>
#include <utility>

namespace sonde::inline v0_1::hip {

/// Description of the HIP runtime, compiled with -D__HIP_PLATFORM_AMD__.
struct runtime {
    using properties_type = hipDeviceProp_t;
    using attribute_type = hipDeviceAttribute_t;
    using pointer_type = hipPointerAttribute_t;
    using error_type = hipError_t;
    using stream_type = hipStream_t;
    using event_type = hipEvent_t;
    template <class... Args>
    using function = gpu::function<runtime, error_type, Args...>;

    static constexpr auto scope = "sonde::hip";
    static constexpr auto addresses = device_runtime::rocm;
    static constexpr auto name = "HIP", vendor = "AMD";

    // Errors.
    static constexpr auto success = hipSuccess, not_ready = hipErrorNotReady, no_device = hipErrorNoDevice,
                          old_driver = hipErrorInsufficientDriver, out_of_memory = hipErrorMemoryAllocation;
    static constexpr auto error_text = hipGetErrorString;
    static constexpr auto last_error = hipGetLastError, peek_at_last_error = hipPeekAtLastError;

    // Versions and devices.
    static constexpr function<int*> driver_version{"hipDriverGetVersion", hipDriverGetVersion};
    static constexpr function<int*> runtime_version{"hipRuntimeGetVersion", hipRuntimeGetVersion};
    static constexpr function<int*> device_count{"hipGetDeviceCount", hipGetDeviceCount};
    static constexpr function<int*> current_device{"hipGetDevice", hipGetDevice};
    static constexpr function<int> set_device{"hipSetDevice", hipSetDevice};
    static constexpr function<properties_type*, int> properties{"hipGetDeviceProperties", hipGetDeviceProperties};
    static constexpr function<int*, attribute_type, int> attribute{"hipDeviceGetAttribute", hipDeviceGetAttribute};
    static constexpr auto concurrent_access = hipDeviceAttributeConcurrentManagedAccess;
    static constexpr int host = hipCpuDeviceId;
    static constexpr function<std::size_t*, std::size_t*> memory_info{"hipMemGetInfo", hipMemGetInfo};

    // Memory.
    static constexpr function<void**, std::size_t> allocate{"hipMalloc", hipMalloc};
    static constexpr function<void**, std::size_t, unsigned> allocate_pinned{"hipHostMalloc", hipHostMalloc};
    static constexpr function<void*> free_pinned{"hipHostFree", hipHostFree};
    static constexpr function<void**, std::size_t, unsigned> allocate_managed{"hipMallocManaged", hipMallocManaged};
    static constexpr unsigned managed_flags = hipMemAttachGlobal;
    static constexpr function<void*> free{"hipFree", hipFree};
    static constexpr function<void*, int, std::size_t> set{"hipMemset", hipMemset};
    static constexpr auto to_device = hipMemcpyHostToDevice, to_host = hipMemcpyDeviceToHost;
    static constexpr function<void*, void const*, std::size_t, hipMemcpyKind> copy{"hipMemcpy", hipMemcpy};
    static constexpr function<pointer_type*, void const*> pointer{"hipPointerGetAttributes", hipPointerGetAttributes};

    // Streams and events.
    static constexpr unsigned stream_flags = hipStreamNonBlocking, event_flags = hipEventDefault;
    static constexpr function<stream_type*, unsigned> create_stream{"hipStreamCreateWithFlags",
                                                                    hipStreamCreateWithFlags};
    static constexpr function<stream_type> destroy_stream{"hipStreamDestroy", hipStreamDestroy};
    static constexpr function<stream_type> query_stream{"hipStreamQuery", hipStreamQuery};
    static constexpr function<stream_type> synchronize_stream{"hipStreamSynchronize", hipStreamSynchronize};
    static constexpr function<event_type*, unsigned> create_event{"hipEventCreateWithFlags", hipEventCreateWithFlags};
    static constexpr function<event_type> destroy_event{"hipEventDestroy", hipEventDestroy};
    static constexpr function<event_type> query_event{"hipEventQuery", hipEventQuery};
    static constexpr function<event_type> synchronize_event{"hipEventSynchronize", hipEventSynchronize};
    static constexpr function<event_type, stream_type> record_event{"hipEventRecord", hipEventRecord};
    static constexpr function<float*, event_type, event_type> elapsed_time{"hipEventElapsedTime", hipEventElapsedTime};
    static constexpr function<void const*, std::size_t, int, hipStream_t> prefetch{"hipMemPrefetchAsync",
                                                                                   hipMemPrefetchAsync};
    static constexpr function<hipUUID*, hipDevice_t> device_uuid{"hipDeviceGetUuid", hipDeviceGetUuid};

    static hipUUID uuid(int device) { return gpu::value_of(device_uuid, device); }
    /// "5.2" for 50221153.
    static std::string version_text(int version) {
        return std::to_string(version / 10'000'000) + "." + std::to_string(version / 100'000 % 100);
    }
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

} // namespace sonde::hip
