// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>

#include <string_view>

namespace fake {

/// The planned error of this call, returned once; cudaSuccess if none is planned.
cudaError_t planned_failure(std::string_view function);

/// The sticky error of the devices; cudaSuccess without one.
cudaError_t spoiled();

/// Keeps an error for cudaGetLastError of this thread, and a sticky error for all; returns it.
cudaError_t remember(cudaError_t code);

/// Plans the failures of the environment anew.
void restart_planned_failures();

void forget_spoiled();

} // namespace fake
