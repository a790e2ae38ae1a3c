// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/error.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

namespace sonde::cuda {

/// Bytes that the current device has free now, for whoever asks first.
[[nodiscard]] inline std::size_t free_memory() {
    std::size_t left = 0, all = 0;
    check(cudaMemGetInfo(&left, &all), "cudaMemGetInfo");
    return left;
}

/// Throws cuda::error unless device memory was allocated: of memory that is exhausted with how much was asked for, and
/// how much is free.
inline void check_allocated(cudaError_t code, char const* call, std::size_t asked) {
    if (code != cudaErrorMemoryAllocation) return check(code, call);
    static_cast<void>(cudaGetLastError());
    throw error{call, code,
                "out of memory: " + std::to_string(asked) + " bytes asked for, " + std::to_string(free_memory()) +
                    " free on the device"};
}

} // namespace sonde::cuda
