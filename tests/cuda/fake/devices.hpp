// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>

namespace fake {

/// Success, or why no device can be used.
cudaError_t driver_state();

/// Of this thread.
int current_device();
void forget_current_device();
bool is_device(int ordinal);

} // namespace fake
