// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/gpu.hpp>
#include <sonde/gpu/stream.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace sonde::inline v0_1::gpu {

/// Location of pages of managed memory: the host or the current device.
enum class location : unsigned char { host, device };

namespace detail {

/// Memory from a function of a runtime. If it is exhausted, gpu::error states n and, except for host memory, the free
/// memory of the device.
template <class R, class Error, class... Args>
void* allocate(location where, function<R, Error, void**, std::size_t, Args...> const& f, std::size_t n,
               std::type_identity_t<Args>... flags) {
    void* start = nullptr;
    auto const code = f.address(&start, n, flags...);
    if (code == R::out_of_memory)
        fail<R>(f.name, code,
                "out of memory: " + std::to_string(n) + " bytes " +
                    (where == location::host
                         ? "of page-locked host memory asked for"
                         : "asked for, " + std::to_string(free_memory<R>()) + " free on the device"));
    check<R>(code, f.name);
    return start;
}

} // namespace detail

/// Page-locked host memory (cudaHostAlloc, hipHostMalloc), which a device copies from and to directly.
template <class R>
struct pinned_memory : host_memory_base {
    static constexpr bool device_accessible = true;

    /// Throws gpu::error, with the size, if the memory is exhausted.
    void* allocate(std::size_t n) const { return detail::allocate(location::host, R::allocate_pinned, n, 0); }
    void deallocate(void* p, std::size_t) const { static_cast<void>(R::free_pinned.address(p)); }
};

/// Memory of the current device (cudaMalloc, hipMalloc). If it is exhausted, gpu::error states the size and the free
/// memory.
///
/// Copies and fills are complete when they return. They do not wait for work in a `stream`, which is non-blocking:
/// synchronize a stream before accessing bytes that it uses.
template <class R>
struct device_memory {
    static constexpr bool host_accessible = false;
    static constexpr bool device_accessible = true;

    static constexpr device_runtime runtime() { return R::addresses; }
    void* allocate(std::size_t n) const { return detail::allocate(location::device, R::allocate, n); }
    void deallocate(void* p, std::size_t) const { static_cast<void>(R::free.address(p)); }
    void fill(opaque_region bytes, std::byte value) const {
        R::set(bytes.data(), std::to_integer<int>(value), bytes.size());
        R::synchronize_stream(nullptr); // the call may return before a fill of device memory is complete
    }
    void write(opaque_region to, std::span<std::byte const> from) const {
        write(to, from, pinned_memory<R>{});
        R::synchronize_stream(nullptr); // the call may return before a small copy from pageable memory is complete
    }
    /// A copy from page-locked memory is complete when the call returns.
    void write(opaque_region to, std::span<std::byte const> from, pinned_memory<R> const&) const {
        R::copy(to.data(), from.data(), from.size(), R::to_device);
    }
    void read(region into, opaque_region from) const { R::copy(into.data(), from.data(), into.size(), R::to_host); }
};

/// Managed memory (cudaMallocManaged, hipMallocManaged), whose pages migrate to the host or device that accesses them;
/// `prefetch` migrates them in advance.
///
/// Throws gpu::error for more memory than this rank's share of the free memory of the current device (equal shares for
/// the ranks that use the device, see `choose_device`). With more memory the runtime would oversubscribe the device and
/// keep migrating pages. The host fills the memory.
template <class R>
struct managed_memory : host_memory_base {
    static constexpr bool device_accessible = true;

    void* allocate(std::size_t n) const {
        auto [budget, lock] = detail::managed_memory_budget_of<R>(value_of(R::current_device));
        auto const left = budget.left(free_memory<R>());
        if (n > left)
            throw error<R>{R::allocate_managed.name, R::out_of_memory,
                           "not tried: " + std::to_string(n) +
                               " bytes of managed memory asked for, and the device has " + std::to_string(left) +
                               " free" +
                               (budget.ranks == 1 ? "" : " for each of " + std::to_string(budget.ranks) + " ranks")};
        auto* const start = detail::allocate(location::device, R::allocate_managed, n, R::managed_flags);
        budget.reserved += n;
        return start;
    }
    void deallocate(void* p, std::size_t n) const {
        typename R::pointer_type attributes{}; // p may belong to another device
        auto const code = R::pointer.address(&attributes, p);
        static_cast<void>(R::free.address(p));
        if (code == R::success) detail::managed_memory_budget_of<R>(attributes.device).first.reserved -= n;
    }
};

/// True if pages of managed memory can be prefetched, which needs concurrent access by host and device.
template <class R>
[[nodiscard]] bool can_prefetch() {
    return value_of(R::attribute, R::concurrent_access, value_of(R::current_device)) != 0;
}

/// Migrate pages of managed memory, in the order of the stream. Throws gpu::error, whose text says whether the device
/// lacks the ability (`can_prefetch`).
template <class R>
void prefetch(opaque_region bytes, location where, typename R::stream_type stream) {
    if (bytes.empty()) return;
    auto const to = where == location::device ? value_of(R::current_device) : R::host;
    auto const code = R::prefetch.address(bytes.data(), bytes.size(), to, stream);
    if (code == R::success || can_prefetch<R>()) return check<R>(code, R::prefetch.name);
    fail<R>(R::prefetch.name, code,
            "pages of managed memory cannot be placed: host and this device cannot use it at the same time");
}

/// A range of managed memory and the location for its pages.
struct prefetch_range {
    opaque_region bytes; // of managed memory
    location where;      // host, or a device
};

/// Callable that prefetches ranges of managed memory and waits until they are in place:
/// `prefetcher{stream, {{out.bytes(), location::device}}}`.
///
/// Inside the sample, before each iteration: `with_setup{prefetcher, pattern}`. Outside of samples, before the ranks
/// are synchronized: `prepared_sync{barrier_each{}, &prefetcher}`.
template <class R>
struct prefetcher {
    typename R::stream_type stream;     // in which the pages move
    std::vector<prefetch_range> ranges; // moved in this order

    void operator()() const {
        for (auto const& r : ranges) prefetch<R>(r.bytes, r.where, stream);
        R::synchronize_stream(stream);
    }
};

} // namespace sonde::gpu
