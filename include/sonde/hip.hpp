// SPDX-License-Identifier: BSL-1.0
#pragma once

// The GPU layer for HIP; it needs hip/hip_runtime_api.h and nothing else of HIP.

#include <sonde/gpu/memory.hpp>
#include <sonde/gpu/stream.hpp>

#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <string>

namespace sonde::hip {

/// Description of the HIP runtime, compiled with -D__HIP_PLATFORM_AMD__.
struct runtime {
    using properties_type = hipDeviceProp_t;
    using attribute_type = hipDeviceAttribute_t;
    using pointer_type = hipPointerAttribute_t;
    SONDE_GPU_RUNTIME(hip);
    static constexpr auto addresses = device_runtime::rocm;
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

SONDE_GPU_NAMES;

} // namespace sonde::hip
