// SPDX-License-Identifier: BSL-1.0
#pragma once

// Included by nvcc and hipcc, too, which need not know C++20.

#ifdef __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>
#else
#include <cuda_runtime_api.h>
#endif

namespace gpu {

#ifdef __HIP_PLATFORM_AMD__
using launch_error = hipError_t;
using launch_stream = hipStream_t;
#else
using launch_error = cudaError_t;
using launch_stream = cudaStream_t;
#endif

/// Launch on the stream a kernel of one thread that runs for a time. Does not wait, except for the first launch of HIP,
/// which measures the rate of the device's clock.
launch_error launch_spin(unsigned long long nanoseconds, launch_stream stream);

} // namespace gpu
