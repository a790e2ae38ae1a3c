// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/error.hpp>
#include <sonde/memory/buffer.hpp>

#include <openacc.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::openacc {

/// Failure of the OpenACC runtime: no device, or no memory. The runtime itself does not report reasons.
struct error : library_error {
    error(char const* call, std::string const& what) : library_error{call, 0, what} {}
};

namespace detail {

/// Throws error if ACC_DEVICE_TYPE names a type without a device. GCC's runtime would end the process.
inline void require_device_of_environment() {
    auto const* const wanted = std::getenv("ACC_DEVICE_TYPE");
    if (wanted == nullptr || *wanted == '\0') return;
    std::string type = wanted;
    std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
    constexpr std::pair<char const*, acc_device_t> types[] = {
        {"host", acc_device_host}, {"nvidia", acc_device_nvidia}, {"radeon", acc_device_radeon}};
    for (auto const& [name, device] : types)
        if (type == name && acc_get_num_devices(device) > 0) return;
    throw error{"acc_get_num_devices",
                std::string{"there is no OpenACC device of the type in ACC_DEVICE_TYPE, "} + wanted};
}

/// The current device type. Throws error if ACC_DEVICE_TYPE names a type without a device.
inline acc_device_t device_type() {
    require_device_of_environment();
    return acc_get_device_type();
}

} // namespace detail

/// Number of devices of the current type. If the compiler does not support an accelerator, the host is the only device.
/// Throws error if ACC_DEVICE_TYPE names a type without a device.
[[nodiscard]] inline int device_count() { return acc_get_num_devices(detail::device_type()); }

/// True if the current device is the host itself. Device memory is then host memory. Throws as device_count does.
[[nodiscard]] inline bool is_host() { return detail::device_type() == acc_device_host; }

/// Choose the current device. The devices of a node are assigned to ranks round-robin. `local_rank` is the rank among
/// the ranks that share memory. Returns the number of the device. Throws error if there is no device, and
/// std::invalid_argument for a negative local rank. Not collective.
inline int choose_device(int local_rank) {
    if (local_rank < 0) throw std::invalid_argument{"sonde::openacc::choose_device: a local rank is 0 or more"};
    auto const devices = device_count();
    if (devices == 0)
        throw error{"acc_get_num_devices", "acc_get_num_devices: there is no OpenACC device: see ACC_DEVICE_TYPE"};
    auto const chosen = local_rank % devices;
    acc_set_device_num(chosen, acc_get_device_type());
    return chosen;
}

/// Memory of the current OpenACC device (acc_malloc). Compile with OpenACC, such as by `g++ -fopenacc`.
///
/// OpenACC has no function that fills memory: fills copy from the host. Copies and fills are complete when they return.
struct memory {
    static constexpr bool host_accessible = false;
    static constexpr bool device_accessible = true;

    /// False if the current device is the host, whose addresses every library accepts. Throws as device_count does.
    bool on_device() const { return !is_host(); }
    /// ROCm for AMD devices. Throws as device_count does.
    device_runtime runtime() const {
        return detail::device_type() == acc_device_radeon ? device_runtime::rocm : device_runtime::cuda;
    }

    /// Throws error, with the size in its message, if there is no memory.
    void* allocate(std::size_t n) const {
        auto* const start = acc_malloc(n);
        if (start == nullptr)
            throw error{"acc_malloc", "acc_malloc: no memory for " + std::to_string(n) + " bytes on the device"};
        return start;
    }
    void deallocate(void* p, std::size_t) const { acc_free(p); }
    void fill(opaque_region bytes, std::byte value) const {
        std::vector<std::byte> block(std::min(bytes.size(), std::size_t{1} << 20), value);
        for (std::size_t at = 0; at != bytes.size(); at += block.size()) {
            block.resize(std::min(block.size(), bytes.size() - at));
            write(bytes.subspan(at, block.size()), block);
        }
    }
    void write(opaque_region to, std::span<std::byte const> from) const {
        if (!from.empty()) acc_memcpy_to_device(to.data(), const_cast<std::byte*>(from.data()), from.size());
    }
    void read(region into, opaque_region from) const {
        if (!into.empty()) acc_memcpy_from_device(into.data(), from.data(), into.size());
    }
};

} // namespace sonde::openacc
