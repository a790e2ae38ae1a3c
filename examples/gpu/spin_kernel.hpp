// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>

namespace gpu {

/// Put on the stream a kernel of one thread that runs for so long. Does not wait.
cudaError_t launch_spin(unsigned long long nanoseconds, cudaStream_t stream);

} // namespace gpu
