// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/cuda/error.hpp>
#include <sonde/cuda/managed_room.hpp>
#include <sonde/memory.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstring>

namespace sonde::cuda {

/// Memory whose pages move to whoever uses them, host or device (cudaMallocManaged): `prefetch` and `placed` put them
/// where they are wanted. Never more than the device has free, which it would accept, and then move pages for ever:
/// throws cuda::error first.
struct managed_memory {
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = true;

    void* allocate(std::size_t n) const {
        room_of_process().take(n);
        void* start = nullptr;
        auto const code = cudaMallocManaged(&start, n, cudaMemAttachGlobal);
        if (code != cudaSuccess) room_of_process().give_back(n);
        check_allocated(code, "cudaMallocManaged", n);
        return start;
    }
    void deallocate(void* p, std::size_t n) const {
        cudaFree(p);
        room_of_process().give_back(n);
    }
    /// By the host, where the pages then are.
    void fill(region bytes, std::byte value) const {
        if (!bytes.empty()) std::memset(bytes.data(), std::to_integer<int>(value), bytes.size());
    }
};

} // namespace sonde::cuda
