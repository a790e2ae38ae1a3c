// SPDX-License-Identifier: BSL-1.0
#include "allocations.hpp"
#include "call.hpp"
#include "streams.hpp"

namespace fake {

static cudaError_t give(void** into, memory_type type, std::size_t n) {
    *into = n == 0 ? nullptr : allocate(type, n);
    return n == 0 || *into != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}

// Waits for the device before it frees memory, as CUDA does, because an operation may use it.
static cudaError_t take_back(void* memory, memory_type type, memory_type or_type) {
    if (memory == nullptr) return cudaSuccess;
    wait_for_device(current_device());
    return deallocate(memory, type, or_type) ? cudaSuccess : cudaErrorInvalidValue;
}

#ifdef __HIP_PLATFORM_AMD__
// HIP 5.2 has fewer types of memory.
static void set_type(cudaPointerAttributes& of, memory_type type) {
    of.memoryType = type == memory_type::device ? hipMemoryTypeDevice : hipMemoryTypeHost;
    of.isManaged = type == memory_type::managed;
}
#else
static void set_type(cudaPointerAttributes& of, memory_type type) {
    constexpr cudaMemoryType types[] = {cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice,
                                        cudaMemoryTypeManaged};
    of.type = types[static_cast<std::size_t>(type)];
}
#endif

} // namespace fake

using namespace fake;

cudaError_t cudaMalloc(void** memory, std::size_t n) {
    return call("cudaMalloc", line("cudaMalloc", n), [&] { return give(memory, memory_type::device, n); });
}

cudaError_t cudaMallocManaged(void** memory, std::size_t n, unsigned) {
    return call("cudaMallocManaged", line("cudaMallocManaged", n),
                [&] { return n == 0 ? cudaErrorInvalidValue : give(memory, memory_type::managed, n); });
}

cudaError_t cudaHostAlloc(void** memory, std::size_t n, unsigned flags) {
    return call("cudaHostAlloc", line("cudaHostAlloc", n, flags), [&] { return give(memory, memory_type::pinned, n); });
}

cudaError_t cudaMallocHost(void** memory, std::size_t n) {
    return call("cudaMallocHost", line("cudaMallocHost", n), [&] { return give(memory, memory_type::pinned, n); });
}

cudaError_t cudaFree(void* memory) {
    return call("cudaFree", line("cudaFree"),
                [&] { return take_back(memory, memory_type::device, memory_type::managed); });
}

cudaError_t cudaFreeHost(void* memory) {
    return call("cudaFreeHost", line("cudaFreeHost"),
                [&] { return take_back(memory, memory_type::pinned, memory_type::pinned); });
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
        set_type(*attributes, where.type);
        attributes->device = where.device;
        if (where.type != memory_type::pageable) attributes->devicePointer = address;
        if (where.type != memory_type::device) attributes->hostPointer = address;
        return cudaSuccess;
    });
}
