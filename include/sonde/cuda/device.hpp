// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/error.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

namespace sonde::cuda {

/// The newest CUDA that the driver supports, as 1000 times the release and 10 times the update: 12020 is 12.2. 0 where
/// there is no driver.
[[nodiscard]] inline int driver_version() {
    int version = 0;
    check(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
    return version;
}

/// The CUDA of the runtime library that runs.
[[nodiscard]] inline int runtime_version() {
    int version = 0;
    check(cudaRuntimeGetVersion(&version), "cudaRuntimeGetVersion");
    return version;
}

/// "12.2" of 12020.
[[nodiscard]] inline std::string version_text(int version) {
    return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

namespace detail {

/// Why no device is to be had, and what to do about it: a line.
inline std::string why_no_device(cudaError_t code) {
    if (code == cudaErrorNoDevice)
        return "there is no CUDA device: run where one is, and see that CUDA_VISIBLE_DEVICES does not hide it";
    if (code != cudaErrorInsufficientDriver) return cudaGetErrorString(code);
    auto const driver = driver_version();
    if (driver == 0) return "there is no NVIDIA driver: run where one is loaded";
    return "the CUDA runtime " + version_text(runtime_version()) + " is newer than the driver, which supports " +
           version_text(driver) + ": update the driver, or build with that toolkit";
}

} // namespace detail

/// How many devices there are, one at least. Throws cuda::error, with a line that says what to do, where there is no
/// driver, where it is older than the toolkit, and where there is no device.
inline int device_count() {
    int count = 0;
    auto code = cudaGetDeviceCount(&count);
    if (code == cudaSuccess && count == 0) code = cudaErrorNoDevice;
    if (code == cudaSuccess) return count;
    static_cast<void>(cudaGetLastError());
    throw error{"cudaGetDeviceCount", code, detail::why_no_device(code)};
}

[[nodiscard]] inline int current_device() {
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    return device;
}

/// What a report says of a device.
struct device_facts {
    std::string name;
    std::size_t memory = 0; // bytes
    int driver = 0;         // newest CUDA that it supports: `version_text`
    int runtime = 0;
};

[[nodiscard]] inline device_facts facts_of(int device) {
    cudaDeviceProp found{};
    check(cudaGetDeviceProperties(&found, device), "cudaGetDeviceProperties");
    return {found.name, found.totalGlobalMem, driver_version(), runtime_version()};
}

} // namespace sonde::cuda
