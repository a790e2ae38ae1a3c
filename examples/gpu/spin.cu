// SPDX-License-Identifier: BSL-1.0
#include "spin_kernel.hpp"

namespace gpu {

namespace {

__device__ unsigned long long now() {
    unsigned long long nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
}

__global__ void spin(unsigned long long nanoseconds) {
    auto const begin = now();
    while (now() - begin < nanoseconds) {}
}

} // namespace

cudaError_t launch_spin(unsigned long long nanoseconds, cudaStream_t stream) {
    void* arguments[] = {&nanoseconds};
    return cudaLaunchKernel(reinterpret_cast<void const*>(spin), 1, 1, arguments, 0, stream);
}

} // namespace gpu
