// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

/// For another fake (of NCCL): carry this out in the order of a stream, where it lasts that many nanoseconds.
/// False where there is no such stream.
bool fake_cuda_enqueue(cudaStream_t stream, std::function<void()> work, long long ns = 0);

/// Where the fake may read and write what a program knows by this address; host memory is where it is.
void* fake_cuda_host(void const* device);
