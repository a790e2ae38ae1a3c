// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>

#include <string_view>

namespace fake {

/// What this call of this function is to fail with, once; cudaSuccess where nothing is planned.
cudaError_t planned_failure(std::string_view function);

/// What spoiled the devices; cudaSuccess where nothing did.
cudaError_t spoiled();

/// Keep an error for cudaGetLastError of this thread, and one that spoils devices for all; gives it back.
cudaError_t remember(cudaError_t code);

/// From now on, what the environment plans.
void restart_planned_failures();

void forget_spoiled();

} // namespace fake
