// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>

namespace fake {

/// Bytes as CUDA sees them: what kind they are of, on which device, and where the fake may touch them.
struct place {
    std::byte* bytes;
    cudaMemoryType type;
    int device;
};

/// Where n bytes of a program are; nothing where they stand out of an allocation.
std::optional<place> place_of(void const* address, std::size_t n);

/// New memory of the current device (or host), null where there is no more.
void* allocate(cudaMemoryType type, std::size_t n);

/// Give memory back whose type is one of two; false where it is none such.
bool deallocate(void* address, cudaMemoryType type, cudaMemoryType or_type);

/// Bytes of a device that are taken by cudaMalloc.
std::size_t taken(int device);

/// The memory of a device, or of all (-1), is no more.
void forget_allocations(int device);

} // namespace fake
