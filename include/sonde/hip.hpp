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

#define SONDE_GPU(name) hip##name
#define SONDE_GPU_PREFIX "hip"

/// Description of the HIP runtime, compiled with -D__HIP_PLATFORM_AMD__.
struct runtime {
    using properties_type = hipDeviceProp_t;
    using attribute_type = hipDeviceAttribute_t;
    using pointer_type = hipPointerAttribute_t;
#include <sonde/gpu/runtime.inc>

    static constexpr auto scope = "sonde::hip";
    static constexpr auto addresses = device_runtime::rocm;
    static constexpr auto name = "HIP", vendor = "AMD";
    static constexpr auto concurrent_access = hipDeviceAttributeConcurrentManagedAccess;
    static constexpr function<void**, std::size_t, unsigned> allocate_pinned{"hipHostMalloc", hipHostMalloc};
    static constexpr function<void*> free_pinned{"hipHostFree", hipHostFree};
    static constexpr function<void const*, std::size_t, int, hipStream_t> prefetch{"hipMemPrefetchAsync",
                                                                                   hipMemPrefetchAsync};
    static constexpr function<hipUUID*, hipDevice_t> device_uuid{"hipDeviceGetUuid", hipDeviceGetUuid};

    static hipUUID uuid(int device) { return gpu::value_of(device_uuid, device); }
    /// "5.2" for 50221153.
    static std::string version_text(int version) {
        return std::to_string(version / 10'000'000) + "." + std::to_string(version / 100'000 % 100);
    }
};

#undef SONDE_GPU
#undef SONDE_GPU_PREFIX

#include <sonde/gpu/names.inc>

} // namespace sonde::hip
