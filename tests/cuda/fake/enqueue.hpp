// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

/// For another fake (of NCCL): enqueues `work` in a stream, where it takes `ns` nanoseconds. False for an unknown
/// stream.
bool fake_cuda_enqueue(cudaStream_t stream, std::function<void()> work, long long ns = 0);

/// The fake's own mapping of a program's address; host memory has the same address.
void* fake_cuda_host(void const* device);
