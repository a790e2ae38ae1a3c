// SPDX-License-Identifier: BSL-1.0
#pragma once

// The runtime of GPUs that the programs are built for: HIP or CUDA.

#ifdef __HIP_PLATFORM_AMD__
#include <sonde/hip.hpp>
#else
#include <sonde/cuda.hpp>
#endif

#include <cstddef>

namespace suite {

#ifdef __HIP_PLATFORM_AMD__
namespace gpu_runtime = sonde::hip;
#else
namespace gpu_runtime = sonde::cuda;
#endif
using gpu_stream = gpu_runtime::runtime::stream_type;

/// Set bytes on a stream. Throws gpu_runtime::error.
inline constexpr gpu_runtime::runtime::function<void*, int, std::size_t, gpu_stream> set_async
#ifdef __HIP_PLATFORM_AMD__
    {"hipMemsetAsync", hipMemsetAsync};
#else
    {"cudaMemsetAsync", cudaMemsetAsync};
#endif

} // namespace suite
