// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/cuda/error.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/host.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

namespace sonde::cuda {

/// Host memory with locked pages (cudaHostAlloc): a device copies from and to it without a copy in between.
struct pinned_memory {
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = true;

    void* allocate(std::size_t n) const {
        void* start = nullptr;
        auto const code = cudaHostAlloc(&start, n, cudaHostAllocDefault);
        if (code == cudaErrorMemoryAllocation) refuse(n);
        check(code, "cudaHostAlloc");
        return start;
    }
    void deallocate(void* p, std::size_t) const { cudaFreeHost(p); }
    void fill(region bytes, std::byte value) const { host_memory{}.fill(bytes, value); }

private:
    [[noreturn]] static void refuse(std::size_t n) {
        static_cast<void>(cudaGetLastError());
        throw error{"cudaHostAlloc", cudaErrorMemoryAllocation,
                    "out of memory: " + std::to_string(n) + " bytes of page-locked host memory asked for"};
    }
};

} // namespace sonde::cuda
