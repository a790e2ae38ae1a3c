// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace sonde::cuda {

/// Failure of a call of the CUDA runtime: "cudaMalloc: out of memory".
class error : public std::runtime_error {
public:
    error(char const* call, cudaError_t code) : error{call, code, cudaGetErrorString(code)} {}
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

} // namespace detail

/// Throws cuda::error unless the call succeeded.
inline void check(cudaError_t code, char const* call) {
    if (code != cudaSuccess) detail::fail(call, code, cudaGetErrorString(code));
}

namespace detail {

/// True if the result of a query (cudaStreamQuery, cudaEventQuery) is completion. Throws cuda::error for a failure.
inline bool is_complete(cudaError_t result, char const* call) {
    if (result != cudaErrorNotReady) check(result, call);
    // The runtime stores even "not ready" as its last error, which is cleared here; any other stored error stays.
    else if (cudaPeekAtLastError() == cudaErrorNotReady) static_cast<void>(cudaGetLastError());
    return result == cudaSuccess;
}

} // namespace detail

/// Latest CUDA version that the driver supports, 1000 * major + 10 * minor: 12020 is 12.2. 0 without a driver.
[[nodiscard]] inline int driver_version() {
    int version = 0;
    check(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
    return version;
}

/// CUDA version of the runtime library, as `driver_version`.
[[nodiscard]] inline int runtime_version() {
    int version = 0;
    check(cudaRuntimeGetVersion(&version), "cudaRuntimeGetVersion");
    return version;
}

/// "12.2" for 12020.
[[nodiscard]] inline std::string version_text(int version) {
    return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
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

[[nodiscard]] inline int current_device() {
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    return device;
}

/// Free memory of the current device in bytes, at the time of the call.
[[nodiscard]] inline std::size_t free_memory() {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free;
}

/// Properties of a device for a report.
struct device_properties {
    std::string name;
    std::size_t memory = 0; // bytes
    int driver = 0;         // see `driver_version`
    int runtime = 0;
};

namespace detail {

inline cudaDeviceProp device_prop(int device) {
    cudaDeviceProp found{};
    check(cudaGetDeviceProperties(&found, device), "cudaGetDeviceProperties");
    return found;
}

} // namespace detail

[[nodiscard]] inline device_properties properties_of(int device) {
    auto const found = detail::device_prop(device);
    return {found.name, found.totalGlobalMem, driver_version(), runtime_version()};
}

namespace detail {

/// Limits the managed memory of this process on one device to the memory that the device has free for it.
///
/// Managed memory occupies the device only when it is used there, so the free memory does not tell how much was
/// allocated before: the sum of all allocations is kept below the free memory before the first of them, and each
/// allocation below the memory that is free now. Ranks that share the device get equal parts.
class managed_memory_budget {
public:
    void set_sharing_ranks(int ranks) {
        std::lock_guard const lock{mutex_};
        ranks_ = static_cast<std::size_t>(ranks);
    }
    /// Reserve n bytes on the current device. Throws cuda::error if they do not fit.
    void reserve(std::size_t n) {
        std::lock_guard const lock{mutex_};
        auto const free = free_memory();
        if (reserved_ == 0) total_ = free;
        auto const budget = total_ / ranks_;
        auto const left = std::min(budget - std::min(reserved_, budget), free / ranks_);
        if (n > left)
            throw error{"cudaMallocManaged", cudaErrorMemoryAllocation,
                        "not tried: " + std::to_string(n) + " bytes of managed memory asked for, and the device has " +
                            std::to_string(left) + " free" +
                            (ranks_ == 1 ? std::string{} : " for each of " + std::to_string(ranks_) + " ranks")};
        reserved_ += n;
    }
    void release(std::size_t n) {
        std::lock_guard const lock{mutex_};
        reserved_ -= n;
    }

private:
    std::mutex mutex_;
    std::size_t ranks_ = 1;
    std::size_t total_ = 0;
    std::size_t reserved_ = 0;
};

/// The budget of this process on a device.
inline managed_memory_budget& managed_memory_budget_of(int device) {
    static std::mutex mutex;
    static std::map<int, managed_memory_budget> budgets;
    std::lock_guard const lock{mutex};
    return budgets[device];
}

/// UUID of a device in numbers that a reduction keeps exactly. Device numbers do not identify a device, since a
/// launcher may show a different device as number 0 to each rank.
using device_uuid = std::array<double, 4>;

inline device_uuid uuid_of(int device) {
    auto const found = device_prop(device);
    std::array<std::uint32_t, 4> parts{};
    static_assert(sizeof parts == sizeof found.uuid);
    std::memcpy(parts.data(), &found.uuid, sizeof parts);
    return {static_cast<double>(parts[0]), static_cast<double>(parts[1]), static_cast<double>(parts[2]),
            static_cast<double>(parts[3])};
}

/// Number of ranks with the same UUID as this one. Collective over the group.
template <Group G>
int count_ranks_with(G& ranks, device_uuid const& mine) {
    auto const n = mine.size();
    std::vector<double> all(n * static_cast<std::size_t>(ranks.size()));
    for (std::size_t i = 0; i != n; ++i) all[n * static_cast<std::size_t>(ranks.rank()) + i] = mine[i];
    ranks.all_reduce(all, reduction::sum);
    int count = 0;
    for (std::size_t at = 0; at != all.size(); at += n) count += std::memcmp(&all[at], mine.data(), sizeof mine) == 0;
    return count;
}

} // namespace detail

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
        uuid = detail::uuid_of(choice.index);
    } catch (error const&) {
        detail::count_ranks_with(ranks, {}); // the other ranks wait in it
        throw;
    }
    choice.ranks = detail::count_ranks_with(ranks, uuid);
    detail::managed_memory_budget_of(choice.index).set_sharing_ranks(choice.ranks);
    return choice;
}

} // namespace sonde::cuda
