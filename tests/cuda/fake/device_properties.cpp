// SPDX-License-Identifier: BSL-1.0
#include "call.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace fake {

static cudaUUID_t uuid_of(int device) {
    cudaUUID_t is = {};
    is.bytes[15] = static_cast<char>(current_settings().first + device + 1);
    return is;
}

static cudaDeviceProp properties_of(int device) {
    cudaDeviceProp is = {};
    std::snprintf(is.name, sizeof is.name, "Fake CUDA device");
    is.totalGlobalMem = current_settings().memory;
    is.warpSize = 32;
    is.maxThreadsPerBlock = 1024;
    is.major = 9;
    is.multiProcessorCount = 1;
    is.canMapHostMemory = is.managedMemory = is.concurrentKernels = 1;
    is.concurrentManagedAccess = current_settings().concurrent ? 1 : 0;
    is.pciBusID = current_settings().first + device + 1;
#ifndef __HIP_PLATFORM_AMD__
    is.uuid = uuid_of(device);
    is.unifiedAddressing = is.asyncEngineCount = 1;
#endif
#if CUDART_VERSION < 13000
    is.clockRate = 1'000'000;
#endif
    return is;
}

namespace {

struct attribute {
    cudaDeviceAttr name;
    int cudaDeviceProp::*value;
};

} // namespace

static constexpr attribute attributes[] = {
    {cudaDevAttrWarpSize, &cudaDeviceProp::warpSize},
    {cudaDevAttrMaxThreadsPerBlock, &cudaDeviceProp::maxThreadsPerBlock},
    {cudaDevAttrComputeCapabilityMajor, &cudaDeviceProp::major},
    {cudaDevAttrMultiProcessorCount, &cudaDeviceProp::multiProcessorCount},
    {cudaDevAttrCanMapHostMemory, &cudaDeviceProp::canMapHostMemory},
    {cudaDevAttrManagedMemory, &cudaDeviceProp::managedMemory},
    {cudaDevAttrConcurrentManagedAccess, &cudaDeviceProp::concurrentManagedAccess},
    {cudaDevAttrConcurrentKernels, &cudaDeviceProp::concurrentKernels},
#ifndef __HIP_PLATFORM_AMD__
    {cudaDevAttrUnifiedAddressing, &cudaDeviceProp::unifiedAddressing},
    {cudaDevAttrAsyncEngineCount, &cudaDeviceProp::asyncEngineCount},
#endif
    {cudaDevAttrPciBusId, &cudaDeviceProp::pciBusID}};

// The clock's rate is in kHz, and no property of newer runtimes: one cycle is one nanosecond.
static int attribute_of(cudaDeviceAttr name, int device) {
    if (name == cudaDevAttrClockRate) return 1'000'000;
    auto const is = properties_of(device);
    auto const* const found = std::ranges::find(attributes, name, &attribute::name);
    return found == std::end(attributes) ? 0 : is.*found->value;
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

#ifdef __HIP_PLATFORM_AMD__
cudaError_t cudaDeviceGetUuid(cudaUUID_t* uuid, cudaDevice_t device) {
    return call("cudaDeviceGetUuid", line("cudaDeviceGetUuid", device), [&] {
        if (!is_device(device)) return cudaErrorInvalidDevice;
        *uuid = uuid_of(device);
        return cudaSuccess;
    });
}
#endif

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return call("cudaDeviceGetAttribute", line("cudaDeviceGetAttribute", static_cast<int>(attribute), device), [&] {
        if (!is_device(device)) return cudaErrorInvalidDevice;
        *value = attribute_of(attribute, device);
        return cudaSuccess;
    });
}
