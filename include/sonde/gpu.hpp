// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/error.hpp>
#include <sonde/group.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

/// The GPU layer: templates over the description R of a runtime. <sonde/cuda.hpp> and <sonde/hip.hpp> have such
/// descriptions, and names for everything here without the parameter.
namespace sonde::inline v0_1::gpu {

/// Failure of a call of a runtime: "cudaMalloc: out of memory".
template <class R>
struct error : library_error {
    error(char const* call, typename R::error_type code, std::string const& why)
        : library_error{call, static_cast<int>(code), std::string{call} + ": " + why} {}

    /// The runtime's error code.
    typename R::error_type code() const noexcept { return static_cast<typename R::error_type>(library_error::code()); }
};

/// Throw gpu::error. The runtime also stores the error and would return it from a later call, so it is cleared.
template <class R>
[[noreturn]] void fail(char const* call, typename R::error_type code, std::string const& why) {
    static_cast<void>(R::last_error());
    throw error<R>{call, code, why};
}

/// Throws gpu::error unless the call succeeded.
template <class R>
void check(typename R::error_type code, char const* call) {
    if (code != R::success) fail<R>(call, code, R::error_text(code));
}

/// A function of a runtime, with its name for messages. A call throws gpu::error unless it succeeds.
template <class R, class Error, class... Args>
struct function {
    char const* name;          // of the function
    Error (*address)(Args...); // of the function

    /// Calls the function. Throws gpu::error for a failure.
    void operator()(Args... args) const { check<R>(address(args...), name); }
};

/// The value that a function of a runtime writes to its first argument. Throws gpu::error.
template <class R, class Error, class T, class... Args>
T value_of(function<R, Error, T*, Args...> const& f, std::type_identity_t<Args>... args) {
    T value{};
    f(&value, args...);
    return value;
}

namespace detail {

/// Reason for the absence of a device and its remedy, in one line.
template <class R>
std::string no_device_reason(typename R::error_type code) {
    std::string const name = R::name;
    if (code == R::no_device)
        return "there is no " + name + " device: run where one is, and see that " + name +
               "_VISIBLE_DEVICES does not hide it";
    if (code != R::old_driver) return R::error_text(code);
    auto const driver = value_of(R::driver_version);
    if (driver == 0) return std::string{"there is no "} + R::vendor + " driver: run where one is loaded";
    return "the " + name + " runtime " + R::version_text(value_of(R::runtime_version)) +
           " is newer than the driver, which supports " + R::version_text(driver) +
           ": update the driver, or build with that toolkit";
}

/// Limits the managed memory of this process on one device to its share of the device's free memory.
///
/// Managed memory occupies the device only when it is used there, so the free memory does not show how much was
/// allocated before. The sum of all allocations is therefore kept below the memory that was free before the first
/// allocation, and each allocation below the memory that is free now. Ranks that share the device get equal shares.
struct managed_memory_budget {
    std::size_t ranks = 1; // that share the device
    std::size_t total = 0; // free memory before the first allocation
    std::size_t reserved = 0;

    /// Bytes of the largest allocation that fits while the current device has `free` bytes free.
    std::size_t left(std::size_t free) {
        if (reserved == 0) total = free;
        auto const budget = total / ranks;
        return std::min(budget - std::min(reserved, budget), free / ranks);
    }
};

/// The budget of this process on a device, and the lock under which it is used.
template <class R>
std::pair<managed_memory_budget&, std::unique_lock<std::mutex>> managed_memory_budget_of(int device) {
    static std::mutex mutex;
    static std::map<int, managed_memory_budget> budgets;
    std::unique_lock lock{mutex};
    return {budgets[device], std::move(lock)};
}

} // namespace detail

/// Free memory of the current device in bytes, at the time of the call.
template <class R>
[[nodiscard]] std::size_t free_memory() {
    std::size_t free = 0, total = 0;
    R::memory_info(&free, &total);
    return free;
}

/// Number of devices, at least one. Throws gpu::error, whose text names the remedy, if there is no driver, if the
/// driver is older than the runtime, or if there is no device.
template <class R>
int device_count() {
    int count = 0;
    auto code = R::device_count.address(&count);
    if (code == R::success && count == 0) code = R::no_device;
    if (code != R::success) fail<R>(R::device_count.name, code, detail::no_device_reason<R>(code));
    return count;
}

/// Properties of a device for a report.
struct device_properties {
    std::string name;       // of the device
    std::size_t memory = 0; // bytes
    int driver = 0;         // latest version of the runtime that the driver supports, see `version_text`
    int runtime = 0;        // version of the runtime
};

/// Properties of a device of this process. Throws gpu::error.
template <class R>
[[nodiscard]] device_properties properties_of(int device) {
    auto const found = value_of(R::properties, device);
    return {found.name, found.totalGlobalMem, value_of(R::driver_version), value_of(R::runtime_version)};
}

/// Device of a rank, and the number of ranks that use it. Measurements of ranks that share a device disturb each other.
struct device_choice {
    int index = 0; // of the device, from 0
    int ranks = 1; // ranks that use the device
    /// True if several ranks use the device.
    bool shared() const { return ranks > 1; }
};

/// Assign the visible devices to the ranks of a node round-robin, and make this rank's device the current device.
/// `local_rank` numbers the ranks that share memory; take it from MPI and not from an environment variable of a
/// scheduler. Ranks that share a device also share its memory for managed allocations. Collective over the group.
///
/// Throws, after the collective calls, gpu::error if this rank has no device (`device_count`). Throws
/// std::invalid_argument for a negative local rank.
template <class R, Group G>
device_choice choose_device(G& ranks, int local_rank) {
    if (local_rank < 0)
        throw std::invalid_argument{std::string{R::scope} + "::choose_device: a local rank is 0 or more"};
    device_choice choice;
    std::string card; // not the device number: a launcher may show each rank its own device as 0
    try {
        choice.index = local_rank % device_count<R>();
        R::set_device(choice.index);
        auto const uuid = R::uuid(choice.index);
        card.assign(reinterpret_cast<char const*>(&uuid), sizeof uuid);
        card += std::to_string(value_of(R::properties, choice.index).pciBusID); // a card may lack a UUID
    } catch (error<R> const&) {
        static_cast<void>(sonde::all_gather(ranks, card)); // the other ranks wait in it
        throw;
    }
    auto const cards = sonde::all_gather(ranks, card);
    choice.ranks = static_cast<int>(std::count(cards.begin(), cards.end(), card));
    detail::managed_memory_budget_of<R>(choice.index).first.ranks = static_cast<std::size_t>(choice.ranks);
    return choice;
}

} // namespace sonde::gpu
