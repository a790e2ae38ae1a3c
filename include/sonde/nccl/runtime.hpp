// SPDX-License-Identifier: BSL-1.0
#pragma once

// NCCL with CUDA, or RCCL, which has the same names, with HIP: in a program that is compiled for AMD devices.

#ifdef __HIP_PLATFORM_AMD__
#include <sonde/hip/hip.hpp>

#if __has_include(<rccl/rccl.h>)
#include <rccl/rccl.h>
#else
#include <rccl.h>
#endif

#else
#include <sonde/cuda/cuda.hpp>

#include <nccl.h>
#endif

namespace sonde::nccl {

#ifdef __HIP_PLATFORM_AMD__
namespace device = sonde::hip;
/// Name of the library for messages.
inline constexpr auto library = "RCCL";
#else
namespace device = sonde::cuda;
inline constexpr auto library = "NCCL";
#endif
/// Stream of the library's operations: cudaStream_t or hipStream_t.
using stream_type = device::runtime::stream_type;

} // namespace sonde::nccl
