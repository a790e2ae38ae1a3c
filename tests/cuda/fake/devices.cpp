// SPDX-License-Identifier: BSL-1.0
#include "devices.hpp"

#include "allocations.hpp"
#include "call.hpp"
#include "events.hpp"
#include "streams.hpp"

namespace fake {

static thread_local int current = 0;

int current_device() { return current; }
void forget_current_device() { current = 0; }
bool is_device(int ordinal) { return ordinal >= 0 && ordinal < current_settings().devices; }

cudaError_t driver_state() {
    if (current_settings().driver != "ok") return cudaErrorInsufficientDriver;
    return current_settings().devices > 0 ? cudaSuccess : cudaErrorNoDevice;
}

} // namespace fake

using namespace fake;

cudaError_t cudaGetDeviceCount(int* count) {
    *count = 0;
    return call("cudaGetDeviceCount", line("cudaGetDeviceCount"), [&] {
        *count = current_settings().devices;
        return cudaSuccess;
    });
}

cudaError_t cudaSetDevice(int device) {
    return call("cudaSetDevice", line("cudaSetDevice", device), [&] {
        if (!is_device(device)) return cudaErrorInvalidDevice;
        fake::current = device;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDevice(int* device) {
    return call("cudaGetDevice", line("cudaGetDevice"), [&] {
        *device = current_device();
        return cudaSuccess;
    });
}

cudaError_t cudaDriverGetVersion(int* version) {
    auto const& driver = current_settings().driver;
    *version = driver == "none" ? 0 : driver == "old" ? old_driver : CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
    return call("cudaDeviceSynchronize", line("cudaDeviceSynchronize"), [] {
        wait_for_device(current_device());
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceReset() {
    forget_spoiled();
    return call("cudaDeviceReset", line("cudaDeviceReset"), [] {
        wait_for_device(current_device());
        forget_streams(current_device());
        forget_events(current_device());
        forget_allocations(current_device());
        return cudaSuccess;
    });
}
