// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/error.hpp>
#include <sonde/cuda/free_memory.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <mutex>
#include <string>

namespace sonde::cuda {

/// The managed memory of this process and what the device has room for, so that all of it could lie there at once.
///
/// Managed memory takes up the device only as it is used there, so what is free at a time does not say what was
/// promised before: the sum is kept within what was free when there was none of it.
class managed_room {
public:
    /// Throws cuda::error where n more bytes would not fit.
    void take(std::size_t n) {
        std::lock_guard const one_at_a_time{busy_};
        auto const now = free_memory();
        if (taken_ == 0) room_ = now;
        auto const left = room_ - taken_ < now ? room_ - taken_ : now;
        if (n > left)
            throw error{"cudaMallocManaged", cudaErrorMemoryAllocation,
                        "not tried: " + std::to_string(n) + " bytes of managed memory asked for, and the device has " +
                            std::to_string(left) + " free"};
        taken_ += n;
    }
    void give_back(std::size_t n) {
        std::lock_guard const one_at_a_time{busy_};
        taken_ -= n;
    }

private:
    std::mutex busy_;
    std::size_t room_ = 0;
    std::size_t taken_ = 0;
};

/// That of the process, whose managed memory is for one device.
inline managed_room& room_of_process() {
    static managed_room all;
    return all;
}

} // namespace sonde::cuda
