// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/cuda/error.hpp>
#include <sonde/cuda/free_memory.hpp>
#include <sonde/cuda/pinned_memory.hpp>
#include <sonde/memory.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>

namespace sonde::cuda {

/// Memory of the current device (cudaMalloc). Where too little is free, cuda::error says how much was asked for, and is
/// free.
///
/// Copies and fills are complete when they return. They do not wait for what is under way in a `cuda::stream`, which is
/// non-blocking: before bytes that are in use there, complete it.
struct device_memory {
    static constexpr bool host_accessible = false;
    static constexpr bool device_accessible = true;

    void* allocate(std::size_t n) const {
        void* start = nullptr;
        check_allocated(cudaMalloc(&start, n), "cudaMalloc", n);
        return start;
    }
    void deallocate(void* p, std::size_t) const { cudaFree(p); }
    void fill(opaque_region bytes, std::byte value) const {
        check(cudaMemset(bytes.data(), std::to_integer<int>(value), bytes.size()), "cudaMemset");
        check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize"); // a fill of device memory need not wait
    }
    void write(opaque_region to, std::span<std::byte const> from) const {
        check(cudaMemcpy(to.data(), from.data(), from.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
        check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize"); // small copies from pageable memory need not
    }
    /// From page-locked memory a copy is complete as it is.
    void write(opaque_region to, std::span<std::byte const> from, pinned_memory const&) const {
        check(cudaMemcpy(to.data(), from.data(), from.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    void read(region into, opaque_region from) const {
        check(cudaMemcpy(into.data(), from.data(), into.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    }
};

} // namespace sonde::cuda
