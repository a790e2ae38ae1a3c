// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/cuda/device.hpp>
#include <sonde/cuda/error.hpp>
#include <sonde/cuda/managed_room.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/host.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>

namespace sonde::cuda {

/// Memory whose pages move to whoever uses them, host or device (cudaMallocManaged): `prefetch` and `placing` put them
/// where they are wanted. Never more than the current device has free, for each rank that shares it (`choose_device`):
/// CUDA would accept it, and then move pages for ever. Throws cuda::error first.
struct managed_memory {
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = true;

    void* allocate(std::size_t n) const {
        auto& room = room_on(current_device());
        room.take(n);
        void* start = nullptr;
        auto const code = cudaMallocManaged(&start, n, cudaMemAttachGlobal);
        if (code != cudaSuccess) room.give_back(n);
        check_allocated(code, "cudaMallocManaged", n);
        return start;
    }
    void deallocate(void* p, std::size_t n) const {
        cudaPointerAttributes of{}; // another device may be the current one by now
        auto const code = cudaPointerGetAttributes(&of, p);
        cudaFree(p);
        if (code == cudaSuccess) room_on(of.device).give_back(n);
    }
    /// By the host, where the pages then are.
    void fill(region bytes, std::byte value) const { host_memory{}.fill(bytes, value); }
};

} // namespace sonde::cuda
