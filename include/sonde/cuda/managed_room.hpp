// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/error.hpp>
#include <sonde/cuda/free_memory.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <string>

namespace sonde::cuda {

/// The managed memory that this process allocated on a device, and what that has room for, so that all of it could lie
/// there at once, together with as much of each rank that shares the device.
///
/// Managed memory takes up the device only as it is used there, so what is free at a time does not say what was
/// promised before: the sum is kept within what was free when there was none of it.
class managed_room {
public:
    /// Of how many ranks the device is: `choose_device` says it.
    void share(int ranks) {
        std::lock_guard const one_at_a_time{busy_};
        ranks_ = static_cast<std::size_t>(ranks);
    }
    /// The device is the current one. Throws cuda::error where n more bytes of each rank would not fit.
    void take(std::size_t n) {
        std::lock_guard const one_at_a_time{busy_};
        auto const now = free_memory();
        if (taken_ == 0) room_ = now;
        auto const own = room_ / ranks_, each = now / ranks_;
        auto const unpromised = taken_ < own ? own - taken_ : 0;
        refuse_beyond(unpromised < each ? unpromised : each, n);
        taken_ += n;
    }
    void give_back(std::size_t n) {
        std::lock_guard const one_at_a_time{busy_};
        taken_ -= n;
    }

private:
    void refuse_beyond(std::size_t left, std::size_t n) const {
        if (n <= left) return;
        auto const sharing = ranks_ == 1 ? std::string{} : " for each of " + std::to_string(ranks_) + " ranks";
        throw error{"cudaMallocManaged", cudaErrorMemoryAllocation,
                    "not tried: " + std::to_string(n) + " bytes of managed memory asked for, and the device has " +
                        std::to_string(left) + " free" + sharing};
    }

    std::mutex busy_;
    std::size_t ranks_ = 1;
    std::size_t room_ = 0;
    std::size_t taken_ = 0;
};

/// That of this process on a device.
inline managed_room& room_on(int device) {
    static std::mutex busy;
    static std::map<int, managed_room> all;
    std::lock_guard const one_at_a_time{busy};
    return all[device];
}

} // namespace sonde::cuda
