// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>

namespace fake {

/// Success, or the error of a system without a usable device.
cudaError_t driver_state();

/// The current device of this thread.
int current_device();
void forget_current_device();
bool is_device(int ordinal);

} // namespace fake
