// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/cuda/device.hpp>
#include <sonde/cuda/stream.hpp>
#include <sonde/memory.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sonde::cuda {

/// Location of pages of managed memory: the host or the current device.
enum class location : unsigned char { host, device };

namespace detail {

/// Throws cuda::error unless n bytes were allocated; if memory is exhausted, with n and the free memory of the device.
inline void check_allocated(cudaError_t code, char const* call, std::size_t n, location where) {
    if (code == cudaErrorMemoryAllocation)
        fail(call, code,
             "out of memory: " + std::to_string(n) + " bytes " +
                 (where == location::host ? "of page-locked host memory asked for"
                                          : "asked for, " + std::to_string(free_memory()) + " free on the device"));
    check(code, call);
}

} // namespace detail

/// Page-locked host memory (cudaHostAlloc), which a device copies from and to directly.
struct pinned_memory : host_memory_base {
    static constexpr bool device_accessible = true;

    /// Throws cuda::error, with the size, if the memory is exhausted.
    void* allocate(std::size_t n) const {
        void* start = nullptr;
        detail::check_allocated(cudaHostAlloc(&start, n, cudaHostAllocDefault), "cudaHostAlloc", n, location::host);
        return start;
    }
    void deallocate(void* p, std::size_t) const { cudaFreeHost(p); }
};

/// Memory of the current device (cudaMalloc). If it is exhausted, cuda::error tells the size and the free memory.
///
/// Copies and fills are complete when they return. They do not wait for work in a `cuda::stream`, which is
/// non-blocking: synchronize a stream before accessing bytes that it uses.
struct device_memory {
    static constexpr bool host_accessible = false;
    static constexpr bool device_accessible = true;

    void* allocate(std::size_t n) const {
        void* start = nullptr;
        detail::check_allocated(cudaMalloc(&start, n), "cudaMalloc", n, location::device);
        return start;
    }
    void deallocate(void* p, std::size_t) const { cudaFree(p); }
    void fill(opaque_region bytes, std::byte value) const {
        check(cudaMemset(bytes.data(), std::to_integer<int>(value), bytes.size()), "cudaMemset");
        synchronize(nullptr); // cudaMemset may return before a fill of device memory is complete
    }
    void write(opaque_region to, std::span<std::byte const> from) const {
        write(to, from, pinned_memory{});
        synchronize(nullptr); // cudaMemcpy may return before a small copy from pageable memory is complete
    }
    /// A copy from page-locked memory is complete when cudaMemcpy returns.
    void write(opaque_region to, std::span<std::byte const> from, pinned_memory const&) const {
        check(cudaMemcpy(to.data(), from.data(), from.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    void read(region into, opaque_region from) const {
        check(cudaMemcpy(into.data(), from.data(), into.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    }
};

/// Managed memory (cudaMallocManaged), whose pages migrate to the host or device that accesses them; `prefetch`
/// migrates them in advance.
///
/// Throws cuda::error for more memory than the current device has free, in equal parts for the ranks that share it
/// (`choose_device`): CUDA would oversubscribe the device and keep migrating pages. The host fills it.
struct managed_memory : host_memory_base {
    static constexpr bool device_accessible = true;

    void* allocate(std::size_t n) const {
        auto [budget, lock] = detail::managed_memory_budget_of(current_device());
        budget.reserve(n);
        void* start = nullptr;
        auto const code = cudaMallocManaged(&start, n, cudaMemAttachGlobal);
        if (code != cudaSuccess) budget.reserved -= n;
        detail::check_allocated(code, "cudaMallocManaged", n, location::device);
        return start;
    }
    void deallocate(void* p, std::size_t n) const {
        cudaPointerAttributes attributes{}; // the device may not be the current one
        auto const code = cudaPointerGetAttributes(&attributes, p);
        cudaFree(p);
        if (code == cudaSuccess) detail::managed_memory_budget_of(attributes.device).first.reserved -= n;
    }
};

/// True if pages of managed memory can be prefetched: if host and device may access it concurrently.
[[nodiscard]] inline bool can_prefetch() {
    constexpr auto concurrent = cudaDevAttrConcurrentManagedAccess;
    return detail::value_of("cudaDeviceGetAttribute", cudaDeviceGetAttribute, concurrent, current_device()) != 0;
}

/// Migrate pages of managed memory, in the order of the stream. Throws cuda::error, whose text tells whether the device
/// lacks the ability (`can_prefetch`).
inline void prefetch(opaque_region bytes, location where, cudaStream_t stream) {
    if (bytes.empty()) return;
    auto const to_device = where == location::device;
#if CUDART_VERSION >= 13000
    cudaMemLocation const to{to_device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost,
                             to_device ? current_device() : 0};
    auto const code = cudaMemPrefetchAsync(bytes.data(), bytes.size(), to, 0, stream);
#else
    auto const to = to_device ? current_device() : cudaCpuDeviceId;
    auto const code = cudaMemPrefetchAsync(bytes.data(), bytes.size(), to, stream);
#endif
    if (code == cudaSuccess || can_prefetch()) return check(code, "cudaMemPrefetchAsync");
    detail::fail("cudaMemPrefetchAsync", code,
                 "pages of managed memory cannot be placed: host and this device cannot use it at the same time");
}

/// A range of managed memory and the location for its pages.
struct prefetch_range {
    opaque_region bytes;
    location where;
};

/// Callable that prefetches ranges of managed memory and waits until they are in place:
/// `prefetcher{stream, {{out.bytes(), location::device}}}`.
///
/// Inside the sample, before each iteration: `before{prefetcher, pattern}`. Outside of samples, before the ranks are
/// synchronized: `prepared_sync{barrier_each{}, &prefetcher}`.
struct prefetcher {
    cudaStream_t stream;
    std::vector<prefetch_range> ranges;

    void operator()() const {
        for (auto const& r : ranges) prefetch(r.bytes, r.where, stream);
        synchronize(stream);
    }
};

} // namespace sonde::cuda
