// SPDX-License-Identifier: BSL-1.0
#include "call.hpp"

#include <cstdio>

namespace fake {

static cudaDeviceProp properties_of(int device) {
    cudaDeviceProp is = {};
    std::snprintf(is.name, sizeof is.name, "Fake CUDA device");
    is.uuid.bytes[15] = static_cast<char>(device + 1);
    is.totalGlobalMem = current_settings().memory;
    is.warpSize = 32;
    is.maxThreadsPerBlock = 1024;
    is.major = 9;
    is.multiProcessorCount = 1;
    is.canMapHostMemory = is.unifiedAddressing = is.managedMemory = 1;
    is.concurrentManagedAccess = current_settings().concurrent ? 1 : 0;
    is.concurrentKernels = is.asyncEngineCount = 1;
    is.pciBusID = device + 1;
#if CUDART_VERSION < 13000
    is.clockRate = 1'000'000;
#endif
    return is;
}

// Clocks are in kHz: one cycle is one nanosecond.
static int attribute_of(cudaDeviceAttr attribute, int device) {
    auto const is = properties_of(device);
    switch (attribute) {
    case cudaDevAttrClockRate:
        return 1'000'000;
    case cudaDevAttrWarpSize:
        return is.warpSize;
    case cudaDevAttrMaxThreadsPerBlock:
        return is.maxThreadsPerBlock;
    case cudaDevAttrComputeCapabilityMajor:
        return is.major;
    case cudaDevAttrMultiProcessorCount:
        return is.multiProcessorCount;
    case cudaDevAttrCanMapHostMemory:
        return is.canMapHostMemory;
    case cudaDevAttrUnifiedAddressing:
        return is.unifiedAddressing;
    case cudaDevAttrManagedMemory:
        return is.managedMemory;
    case cudaDevAttrConcurrentManagedAccess:
        return is.concurrentManagedAccess;
    case cudaDevAttrConcurrentKernels:
        return is.concurrentKernels;
    case cudaDevAttrAsyncEngineCount:
        return is.asyncEngineCount;
    case cudaDevAttrPciBusId:
        return is.pciBusID;
    default:
        return 0;
    }
}

} // namespace fake

using namespace fake;

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return call("cudaGetDeviceProperties", line("cudaGetDeviceProperties", device), [&] {
        if (!is_device(device)) return cudaErrorInvalidDevice;
        *properties = properties_of(device);
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return call("cudaDeviceGetAttribute", line("cudaDeviceGetAttribute", static_cast<int>(attribute), device), [&] {
        if (!is_device(device)) return cudaErrorInvalidDevice;
        *value = attribute_of(attribute, device);
        return cudaSuccess;
    });
}
