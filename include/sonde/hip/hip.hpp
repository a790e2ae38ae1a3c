// SPDX-License-Identifier: BSL-1.0
#pragma once

// The GPU layer for HIP; it needs hip/hip_runtime_api.h and nothing else of HIP.

#include <sonde/gpu/device.hpp>
#include <sonde/gpu/event_clock.hpp>
#include <sonde/gpu/memory.hpp>
#include <sonde/gpu/runtime.hpp>
#include <sonde/gpu/stream.hpp>

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <string>
#include <utility>

namespace sonde::hip {

/// Description of the HIP runtime, compiled with -D__HIP_PLATFORM_AMD__.
struct runtime {
    using properties_type = hipDeviceProp_t;
    using attribute_type = hipDeviceAttribute_t;
    using pointer_type = hipPointerAttribute_t;
    SONDE_GPU_RUNTIME(hip);
    static constexpr auto name = "HIP", vendor = "AMD";
    static constexpr auto concurrent_access = hipDeviceAttributeConcurrentManagedAccess;
    static constexpr function<void**, std::size_t, unsigned> allocate_pinned SONDE_GPU_NAMED(hipHostMalloc);
    static constexpr function<void*> free_pinned SONDE_GPU_NAMED(hipHostFree);
    static constexpr function<void const*, std::size_t, int, hipStream_t> prefetch SONDE_GPU_NAMED(hipMemPrefetchAsync);
    static constexpr function<hipUUID*, hipDevice_t> device_uuid SONDE_GPU_NAMED(hipDeviceGetUuid);

    static hipUUID uuid(int device) { return gpu::value_of(device_uuid, device); }
    /// "5.2" for 50221153.
    static std::string version_text(int version) {
        return std::to_string(version / 10'000'000) + "." + std::to_string(version / 100'000 % 100);
    }
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

inline void check(hipError_t code, char const* call) { gpu::check<runtime>(code, call); }
inline void synchronize(hipStream_t in) { runtime::synchronize_stream(in); }
[[nodiscard]] inline bool is_complete(hipStream_t in) { return gpu::is_complete<runtime>(in); }
inline void prefetch(opaque_region bytes, location where, hipStream_t in) { gpu::prefetch<runtime>(bytes, where, in); }
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
    iteration_events(std::size_t count, hipStream_t in, P pattern)
        : gpu::iteration_events<runtime, P>{count, in, std::move(pattern)} {}
};

} // namespace sonde::hip
