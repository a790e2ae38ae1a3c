// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>

namespace fake {

/// Memory as CUDA sees it: its type, its device, and the fake's own mapping.
struct place {
    std::byte* bytes;
    cudaMemoryType type;
    int device;
};

/// The place of n bytes of a program; empty if they are not within an allocation.
std::optional<place> place_of(void const* address, std::size_t n);

/// New memory of the current device (or host), null if it is exhausted.
void* allocate(cudaMemoryType type, std::size_t n);

/// Frees memory of one of two types; false for any other address.
bool deallocate(void* address, cudaMemoryType type, cudaMemoryType or_type);

/// Bytes of a device allocated by cudaMalloc.
std::size_t taken(int device);

/// Drops the memory of a device, or of all (-1).
void forget_allocations(int device);

} // namespace fake
