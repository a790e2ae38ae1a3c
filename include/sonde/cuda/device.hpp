// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/error.hpp>
#include <sonde/cuda/managed_room.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace sonde::cuda {

/// The newest CUDA that the driver supports, as 1000 times the release and 10 times the update: 12020 is 12.2. 0 where
/// there is no driver.
inline int driver_version() {
    int version = 0;
    check(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
    return version;
}

/// The CUDA of the runtime library that runs.
inline int runtime_version() {
    int version = 0;
    check(cudaRuntimeGetVersion(&version), "cudaRuntimeGetVersion");
    return version;
}

/// "12.2" of 12020.
inline std::string version_text(int version) {
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

inline int current_device() {
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    return device;
}

/// The device of a rank, and how many ranks of its node have it.
///
/// Where ranks share one, they disturb each other, and figures are of neither: whoever chose says so. Local rank 0
/// shares its device if any rank does.
struct chosen_device {
    int index = 0;
    int ranks = 1;
    bool shared() const { return ranks > 1; }
};

/// Give the ranks of a node its devices in turn, and make this rank's the current one. Local rank and size are of the
/// ranks that share memory, as MPI tells, not a scheduler's variable. Managed memory of ranks that share a device must
/// then fit there together.
/// Throws cuda::error where there is no device (`device_count`), std::invalid_argument for a rank that cannot be.
inline chosen_device choose_device(int local_rank, int local_size) {
    if (local_rank < 0 || local_rank >= local_size)
        throw std::invalid_argument{"sonde::cuda::choose_device: a local rank is from 0 to the local size - 1"};
    auto const devices = device_count();
    auto const mine = local_rank % devices;
    check(cudaSetDevice(mine), "cudaSetDevice");
    chosen_device const chosen{mine, (local_size - mine + devices - 1) / devices};
    room_on(mine).share(chosen.ranks);
    return chosen;
}

/// What a report says of a device.
struct device_facts {
    std::string name;
    std::size_t memory = 0; // bytes
    int driver = 0;         // newest CUDA that it supports: `version_text`
    int runtime = 0;
};

inline device_facts facts_of(int device) {
    cudaDeviceProp found{};
    check(cudaGetDeviceProperties(&found, device), "cudaGetDeviceProperties");
    return {found.name, found.totalGlobalMem, driver_version(), runtime_version()};
}

} // namespace sonde::cuda
