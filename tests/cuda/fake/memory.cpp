// SPDX-License-Identifier: BSL-1.0
#include "allocations.hpp"
#include "call.hpp"
#include "streams.hpp"

namespace fake {

static cudaError_t give(void** into, cudaMemoryType type, std::size_t n) {
    *into = n == 0 ? nullptr : allocate(type, n);
    return n == 0 || *into != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}

// Waits for the device before it frees memory, as CUDA does, because an operation may use it.
static cudaError_t take_back(void* memory, cudaMemoryType type, cudaMemoryType or_type) {
    if (memory == nullptr) return cudaSuccess;
    wait_for_device(current_device());
    return deallocate(memory, type, or_type) ? cudaSuccess : cudaErrorInvalidValue;
}

} // namespace fake

using namespace fake;

cudaError_t cudaMalloc(void** memory, std::size_t n) {
    return call("cudaMalloc", line("cudaMalloc", n), [&] { return give(memory, cudaMemoryTypeDevice, n); });
}

cudaError_t cudaMallocManaged(void** memory, std::size_t n, unsigned) {
    return call("cudaMallocManaged", line("cudaMallocManaged", n),
                [&] { return n == 0 ? cudaErrorInvalidValue : give(memory, cudaMemoryTypeManaged, n); });
}

cudaError_t cudaHostAlloc(void** memory, std::size_t n, unsigned flags) {
    return call("cudaHostAlloc", line("cudaHostAlloc", n, flags), [&] { return give(memory, cudaMemoryTypeHost, n); });
}

cudaError_t cudaMallocHost(void** memory, std::size_t n) {
    return call("cudaMallocHost", line("cudaMallocHost", n), [&] { return give(memory, cudaMemoryTypeHost, n); });
}

cudaError_t cudaFree(void* memory) {
    return call("cudaFree", line("cudaFree"),
                [&] { return take_back(memory, cudaMemoryTypeDevice, cudaMemoryTypeManaged); });
}

cudaError_t cudaFreeHost(void* memory) {
    return call("cudaFreeHost", line("cudaFreeHost"),
                [&] { return take_back(memory, cudaMemoryTypeHost, cudaMemoryTypeHost); });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return call("cudaMemGetInfo", line("cudaMemGetInfo"), [&] {
        *total = current_settings().memory;
        *free = *total - taken(current_device());
        return cudaSuccess;
    });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, void const* memory) {
    return call("cudaPointerGetAttributes", line("cudaPointerGetAttributes"), [&] {
        auto const where = *place_of(memory, 0);
        auto* const address = const_cast<void*>(memory);
        *attributes = {};
        attributes->type = where.type;
        attributes->device = where.device;
        if (where.type != cudaMemoryTypeUnregistered) attributes->devicePointer = address;
        if (where.type != cudaMemoryTypeDevice) attributes->hostPointer = address;
        return cudaSuccess;
    });
}
