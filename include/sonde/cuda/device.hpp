// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sonde::cuda {

/// Failure of a call of the CUDA runtime: "cudaMalloc: out of memory".
class error : public std::runtime_error {
public:
    error(char const* call, cudaError_t code, std::string const& why)
        : std::runtime_error{std::string{call} + ": " + why}, call_{call}, code_{code} {}

    char const* call() const { return call_; }
    cudaError_t code() const { return code_; }

private:
    char const* call_;
    cudaError_t code_;
};

namespace detail {

/// Throw cuda::error. The runtime also stores the error and would return it from a later call, so it is cleared.
[[noreturn]] inline void fail(char const* call, cudaError_t code, std::string const& why) {
    static_cast<void>(cudaGetLastError());
    throw error{call, code, why};
}

/// The value that a function of the CUDA runtime, `call`, writes to its first argument. Throws cuda::error.
template <class T, class... Args>
T value_of(char const* call, cudaError_t (*function)(T*, Args...), std::type_identity_t<Args>... args) {
    T value{};
    if (auto const code = function(&value, args...); code != cudaSuccess) fail(call, code, cudaGetErrorString(code));
    return value;
}

} // namespace detail

/// Throws cuda::error unless the call succeeded.
inline void check(cudaError_t code, char const* call) {
    if (code != cudaSuccess) detail::fail(call, code, cudaGetErrorString(code));
}

/// Latest CUDA version that the driver supports, 1000 * major + 10 * minor: 12020 is 12.2. 0 without a driver.
[[nodiscard]] inline int driver_version() { return detail::value_of("cudaDriverGetVersion", cudaDriverGetVersion); }

/// CUDA version of the runtime library, as `driver_version`.
[[nodiscard]] inline int runtime_version() { return detail::value_of("cudaRuntimeGetVersion", cudaRuntimeGetVersion); }

/// "12.2" for 12020.
[[nodiscard]] inline std::string version_text(int version) {
    return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

[[nodiscard]] inline int current_device() { return detail::value_of("cudaGetDevice", cudaGetDevice); }

/// Free memory of the current device in bytes, at the time of the call.
[[nodiscard]] inline std::size_t free_memory() {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free;
}

namespace detail {

/// Reason for the absence of a device and its remedy, in one line.
inline std::string no_device_reason(cudaError_t code) {
    if (code == cudaErrorNoDevice)
        return "there is no CUDA device: run where one is, and see that CUDA_VISIBLE_DEVICES does not hide it";
    if (code != cudaErrorInsufficientDriver) return cudaGetErrorString(code);
    auto const driver = driver_version();
    if (driver == 0) return "there is no NVIDIA driver: run where one is loaded";
    return "the CUDA runtime " + version_text(runtime_version()) + " is newer than the driver, which supports " +
           version_text(driver) + ": update the driver, or build with that toolkit";
}

inline cudaDeviceProp device_prop(int device) {
    return value_of("cudaGetDeviceProperties", cudaGetDeviceProperties, device);
}

/// Limits the managed memory of this process on one device to the memory that the device has free for it.
///
/// Managed memory occupies the device only when it is used there, so the free memory does not tell how much was
/// allocated before: the sum of all allocations is kept below the free memory before the first of them, and each
/// allocation below the memory that is free now. Ranks that share the device get equal parts.
struct managed_memory_budget {
    std::size_t ranks = 1; // that share the device
    std::size_t total = 0; // free memory before the first allocation
    std::size_t reserved = 0;

    /// Reserve n bytes on the current device. Throws cuda::error if they do not fit.
    void reserve(std::size_t n) {
        auto const free = free_memory();
        if (reserved == 0) total = free;
        auto const budget = total / ranks;
        auto const left = std::min(budget - std::min(reserved, budget), free / ranks);
        if (n > left)
            throw error{"cudaMallocManaged", cudaErrorMemoryAllocation,
                        "not tried: " + std::to_string(n) + " bytes of managed memory asked for, and the device has " +
                            std::to_string(left) + " free" +
                            (ranks == 1 ? std::string{} : " for each of " + std::to_string(ranks) + " ranks")};
        reserved += n;
    }
};

/// The budget of this process on a device, and the lock under which it is used.
inline std::pair<managed_memory_budget&, std::unique_lock<std::mutex>> managed_memory_budget_of(int device) {
    static std::mutex mutex;
    static std::map<int, managed_memory_budget> budgets;
    std::unique_lock lock{mutex};
    return {budgets[device], std::move(lock)};
}

/// UUID of a device in numbers that a reduction of doubles keeps exactly. Device numbers do not identify a device,
/// since a launcher may show a different device as number 0 to each rank.
using device_uuid = std::array<std::uint32_t, 4>;

/// Number of ranks with the same UUID as this one. Collective over the group.
template <Group G>
int count_ranks_with(G& ranks, device_uuid const& mine) {
    auto const n = mine.size();
    std::vector<double> all(n * static_cast<std::size_t>(ranks.size()));
    std::copy(mine.begin(), mine.end(), &all[n * static_cast<std::size_t>(ranks.rank())]);
    ranks.all_reduce(all, reduction::sum);
    int count = 0;
    for (std::size_t at = 0; at != all.size(); at += n) count += std::equal(mine.begin(), mine.end(), &all[at]);
    return count;
}

} // namespace detail

/// Number of devices, at least one. Throws cuda::error, whose text tells the remedy, if there is no driver, if the
/// driver is older than the runtime, or if there is no device.
inline int device_count() {
    int count = 0;
    auto code = cudaGetDeviceCount(&count);
    if (code == cudaSuccess && count == 0) code = cudaErrorNoDevice;
    if (code != cudaSuccess) detail::fail("cudaGetDeviceCount", code, detail::no_device_reason(code));
    return count;
}

/// Properties of a device for a report.
struct device_properties {
    std::string name;
    std::size_t memory = 0; // bytes
    int driver = 0;         // see `driver_version`
    int runtime = 0;
};

[[nodiscard]] inline device_properties properties_of(int device) {
    auto const found = detail::device_prop(device);
    return {found.name, found.totalGlobalMem, driver_version(), runtime_version()};
}

/// Device of a rank, and the number of ranks that use it. Measurements of ranks that share a device disturb each other.
struct device_choice {
    int index = 0;
    int ranks = 1;
    bool shared() const { return ranks > 1; }
};

/// Assign the visible devices to the ranks of a node round-robin, and make this rank's the current one. `local_rank` is
/// the rank among those that share memory, according to MPI and not to a variable of a scheduler. Ranks that share a
/// device share its memory for managed allocations, too. Collective over the group.
///
/// Throws, after the collective calls, cuda::error if this rank has no device (`device_count`). Throws
/// std::invalid_argument for a negative local rank.
template <Group G>
device_choice choose_device(G& ranks, int local_rank) {
    if (local_rank < 0) throw std::invalid_argument{"sonde::cuda::choose_device: a local rank is 0 or more"};
    device_choice choice;
    detail::device_uuid uuid{};
    try {
        choice.index = local_rank % device_count();
        check(cudaSetDevice(choice.index), "cudaSetDevice");
        uuid = std::bit_cast<detail::device_uuid>(detail::device_prop(choice.index).uuid);
    } catch (error const&) {
        detail::count_ranks_with(ranks, {}); // the other ranks wait in it
        throw;
    }
    choice.ranks = detail::count_ranks_with(ranks, uuid);
    detail::managed_memory_budget_of(choice.index).first.ranks = static_cast<std::size_t>(choice.ranks);
    return choice;
}

} // namespace sonde::cuda
