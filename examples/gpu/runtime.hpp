// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/gpu_runtime.hpp"

#include <cstddef>

namespace gpu {

/// The runtime that the programs are built for: sonde::cuda or sonde::hip.
namespace native = suite::gpu_runtime;
using stream_type = suite::gpu_stream;

#ifdef __HIP_PLATFORM_AMD__
inline constexpr auto any_direction = hipMemcpyDefault;
inline constexpr native::runtime::function<void*, void const*, std::size_t, hipMemcpyKind, hipStream_t> copy_async{
    "hipMemcpyAsync", hipMemcpyAsync};
#else
inline constexpr auto any_direction = cudaMemcpyDefault;
inline constexpr native::runtime::function<void*, void const*, std::size_t, cudaMemcpyKind, cudaStream_t> copy_async{
    "cudaMemcpyAsync", cudaMemcpyAsync};
#endif

} // namespace gpu
