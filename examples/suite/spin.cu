// SPDX-License-Identifier: BSL-1.0
#include "spin_kernel.hpp"

#ifdef __HIP_PLATFORM_AMD__
#include <hip/hip_runtime.h>
#endif

namespace gpu {

namespace {

#ifdef __HIP_PLATFORM_AMD__

/// The fake runtime of the tests reads `nanoseconds`; a device counts ticks.
__global__ void spin(unsigned long long nanoseconds, unsigned long long ticks) {
    auto const begin = __builtin_amdgcn_s_memrealtime();
    while (nanoseconds != 0 && __builtin_amdgcn_s_memrealtime() - begin < ticks) {
    }
}

hipError_t launch(unsigned long long nanoseconds, unsigned long long ticks, hipStream_t stream) {
    void* arguments[] = {&nanoseconds, &ticks};
    return hipLaunchKernel(reinterpret_cast<void const*>(spin), 1, 1, arguments, 0, stream);
}

/// Time in milliseconds of 100000 ticks of the device's clock, whose rate HIP 5.2 does not report. If it cannot be
/// measured, 1, as for a clock of 100 MHz: the following launch then fails, too.
float milliseconds_of_ticks() {
    hipEvent_t begin = nullptr, end = nullptr;
    float milliseconds = 0;
    auto const good = hipEventCreate(&begin) == hipSuccess && hipEventCreate(&end) == hipSuccess &&
                      hipEventRecord(begin, nullptr) == hipSuccess &&
                      launch(1'000'000, 100'000, nullptr) == hipSuccess && hipEventRecord(end, nullptr) == hipSuccess &&
                      hipEventSynchronize(end) == hipSuccess &&
                      hipEventElapsedTime(&milliseconds, begin, end) == hipSuccess;
    if (begin != nullptr) static_cast<void>(hipEventDestroy(begin));
    if (end != nullptr) static_cast<void>(hipEventDestroy(end));
    return good && milliseconds > 0 ? milliseconds : 1;
}

#else

__device__ unsigned long long now() {
    unsigned long long nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
}

__global__ void spin(unsigned long long nanoseconds) {
    auto const begin = now();
    while (now() - begin < nanoseconds) {
    }
}

#endif

} // namespace

#ifdef __HIP_PLATFORM_AMD__

hipError_t launch_spin(unsigned long long nanoseconds, hipStream_t stream) {
    static auto const ticks_per_nanosecond = 0.1 / milliseconds_of_ticks();
    return launch(nanoseconds, static_cast<unsigned long long>(nanoseconds * ticks_per_nanosecond), stream);
}

#else

cudaError_t launch_spin(unsigned long long nanoseconds, cudaStream_t stream) {
    void* arguments[] = {&nanoseconds};
    return cudaLaunchKernel(reinterpret_cast<void const*>(spin), 1, 1, arguments, 0, stream);
}

#endif

} // namespace gpu
