// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/misuse.hpp>
#include <sonde/memory/buffer.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <sonde/detail/hooks.inc>

namespace sonde::inline v0_1 {

/// Type of the bytes of a memory: `region` if the host may dereference them, else `opaque_region`.
template <class M>
using region_in =
    std::conditional_t<static_cast<bool>(std::remove_reference_t<M>::host_accessible), region, opaque_region>;

/// Kind of memory from which message buffers are allocated.
///
///     m.allocate(n) -> void*     n bytes, n > 0; throws if the memory is exhausted
///     m.deallocate(p, n)         frees the result of allocate(n)
///     m.fill(r, byte)            sets every byte; r: region_in<M>
///     M::host_accessible         constant bool: the host may dereference the bytes
///     M::device_accessible       constant bool: a device may
///
/// Memory that is not host-accessible is copied to and from the host, outside the sample:
///
///     m.write(r, bytes)          copies host bytes (span of const) to the region
///     m.read(bytes, r)           copies the region to host bytes
///     m.write(r, bytes, source)  optional: copies from the memory `source`, such as pinned memory, at lower cost
///     m.on_device() -> bool      optional, if known only at run time; M::device_accessible by default
///     m.runtime()                optional -> device_runtime of its addresses; CUDA by default
template <class M>
concept Memory = requires(M& m, void* p, std::size_t n, std::byte b) {
    { m.allocate(n) } -> std::same_as<void*>;
    m.deallocate(p, n);
    { M::host_accessible } -> std::convertible_to<bool>;
    { M::device_accessible } -> std::convertible_to<bool>;
    requires requires(region_in<M> r) { m.fill(r, b); };
    requires M::host_accessible || requires(opaque_region r, std::span<std::byte const> from, region into) {
        m.write(r, from);
        m.read(into, r);
    };
};

namespace detail::memory_hook {
SONDE_HOOKS(SONDE_MEMORY_HOOKS);
} // namespace detail::memory_hook

/// Size in bytes of this machine's largest cache; 64 MiB if the system does not report it.
[[nodiscard]] std::size_t last_level_cache();

/// Owner of bytes of a memory. Buffers refer to these bytes and must not outlive the allocation.
template <Memory M>
class [[nodiscard]] allocation {
public:
    /// Throws std::length_error for more bytes than there can be, such as a negative number, which operator new rounds
    /// up to a small one; and what the memory throws.
    explicit allocation(std::size_t bytes, M memory = {}) : memory_{std::move(memory)}, bytes_{bytes} {
        if (bytes > static_cast<std::size_t>(PTRDIFF_MAX))
            throw std::length_error{"sonde::allocation: no memory has " + std::to_string(bytes) + " bytes"};
        if (bytes != 0) data_ = memory_.allocate(bytes);
    }
    allocation(allocation&& other) noexcept
        : memory_{std::move(other.memory_)}, bytes_{std::exchange(other.bytes_, 0)},
          data_{std::exchange(other.data_, nullptr)} {}
    allocation& operator=(allocation&&) = delete;
    ~allocation() {
        if (data_ != nullptr) memory_.deallocate(data_, bytes_);
    }

    /// All bytes.
    region_in<M> bytes() const& {
        auto* const first = static_cast<std::byte*>(data_);
        if constexpr (M::host_accessible) return {first, bytes_};
        else return {first, bytes_, detail::memory_hook::on_device(memory_), detail::memory_hook::runtime(memory_)};
    }
    void fill(std::byte value) { memory_.fill(bytes(), value); }
    /// The memory from which it is allocated.
    M const& memory() const& { return memory_; }

    /// Copy host bytes to offset `at`. Throws std::length_error if they do not fit.
    void write(std::size_t at, std::span<std::byte const> from) {
        auto const to = part(at, from.size());
        if (from.empty()) return;
        if constexpr (M::host_accessible) std::memcpy(to.data(), from.data(), from.size());
        else memory_.write(to, from);
    }
    /// Copy bytes from offset `at` to the host. Throws std::length_error if there are fewer.
    void read(std::size_t at, region into) const {
        auto const from = part(at, into.size());
        if (into.empty()) return;
        if constexpr (M::host_accessible) std::memcpy(into.data(), from.data(), into.size());
        else memory_.read(into, from);
    }

    /// Warm buffer of one region, the first n bytes. Throws std::length_error if there are fewer.
    basic_slice<region_in<M>> first(std::size_t n) const& {
        require(n <= bytes_);
        return basic_slice<region_in<M>>{bytes().first(n)};
    }

    /// Buffer of `regions` regions of n bytes that do not overlap, at multiples of `stride_of(n)`. Throws
    /// std::length_error if the allocation has fewer than (regions - 1) stride_of(n) + n bytes.
    basic_rotating<region_in<M>> distinct_regions(std::size_t n, std::size_t regions) const& {
        require(n <= bytes_);
        auto const stride = stride_of(n);
        require(regions - 1 <= (bytes_ - n) / stride);
        return {bytes().first(stride * (regions - 1) + n), n, stride};
    }

    /// Cold buffer: n-byte regions throughout the allocation, which are not in the host's caches. Throws
    /// std::length_error unless the allocation has `cold_bytes(n)` bytes.
    rotating cold(std::size_t n) const&
        requires(M::host_accessible)
    {
        require(n <= bytes_ && cold_bytes(n) <= bytes_);
        return {bytes(), n, stride_of(n)};
    }

    // The result would refer to the bytes of a destroyed temporary.
    void bytes() const&& = delete;
    void memory() const&& = delete;
    void first(std::size_t n) const&& = delete;
    void distinct_regions(std::size_t n, std::size_t regions) const&& = delete;
    void cold(std::size_t n) const&& = delete;

    /// Size in bytes that `cold(n)` requires: twice the last-level cache, and at least two messages.
    static std::size_t cold_bytes(std::size_t n)
        requires(M::host_accessible)
    {
        auto const caches = 2 * last_level_cache(), messages = 2 * stride_of(n);
        return caches > messages ? caches : messages;
    }

    /// Stride in bytes of n-byte regions: they start on different cache lines, two lines apart, so that prefetching one
    /// does not load the next.
    static std::size_t stride_of(std::size_t n) { return (n + 255) / 128 * 128; }

private:
    region_in<M> part(std::size_t at, std::size_t n) const {
        require(at <= bytes_ && n <= bytes_ - at);
        return bytes().subspan(at, n);
    }
    static void require(bool enough) {
        if (!enough) throw std::length_error{"sonde::allocation: more bytes requested than were allocated"};
    }

    mutable M memory_; // its `read` may be non-const, but does not change the bytes
    std::size_t bytes_;
    void* data_ = nullptr;
};

/// Base class of memories of the host.
struct host_memory_base {
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = false;

    void fill(region bytes, std::byte value) const {
        if (!bytes.empty()) std::memset(bytes.data(), std::to_integer<int>(value), bytes.size());
    }
};

/// Ordinary host memory, aligned to pages.
struct host_memory : host_memory_base {
    static constexpr std::align_val_t page{65536}; // a multiple of all base page sizes in use

    void* allocate(std::size_t n) const { return ::operator new(n, page); }
    void deallocate(void* p, std::size_t) const { ::operator delete(p, page); }
};

using host_allocation = allocation<host_memory>;

/// An application's array as a memory, so that messages are measured at its address; its contents are restored.
///
/// `allocate(n)` saves the first n bytes and `deallocate` restores them. `allocate` throws std::length_error if the
/// array is shorter than n, and std::logic_error if the array is already borrowed.
class borrowed_memory : public host_memory_base {
public:
    template <class T>
        requires std::is_trivially_copyable_v<T>
    explicit borrowed_memory(std::span<T> array) : bytes_{std::as_writable_bytes(array)} {}

    void* allocate(std::size_t n) {
        if (borrowed_) throw std::logic_error{"sonde::borrowed_memory: the array is already borrowed"};
        if (n > bytes_.size()) throw std::length_error{"sonde::borrowed_memory: the array is shorter than requested"};
        saved_ = std::vector<std::byte>(n);
        std::memcpy(saved_.data(), bytes_.data(), n);
        borrowed_ = true;
        return bytes_.data();
    }
    void deallocate(void* p, std::size_t n) {
        std::memcpy(p, saved_.data(), n);
        borrowed_ = false;
    }

private:
    region bytes_;
    std::vector<std::byte> saved_;
    bool borrowed_ = false;
};

namespace detail {

/// True for a span whose elements are not constant and can be copied as bytes.
template <class Span>
inline constexpr bool is_borrowable =
    !std::is_const_v<typename Span::element_type> && std::is_trivially_copyable_v<typename Span::element_type>;

} // namespace detail

/// Borrow the whole of an application's array until the allocation is destroyed. The array is a std::vector, a
/// std::array, a C array, or any other contiguous range. Its elements are not constant and can be copied as bytes. A
/// temporary is refused, unless it is a span.
///
///     auto const mine = sonde::borrow(data);    // a variable, because its buffers refer to it: mine.first(bytes)
template <class A>
    requires requires(A& array) { requires detail::is_borrowable<decltype(std::span{array})>; }
[[nodiscard]] allocation<borrowed_memory> borrow(A& array) {
    std::span<typename decltype(std::span{array})::element_type> const all{array}; // of dynamic extent
    return allocation<borrowed_memory>{all.size_bytes(), borrowed_memory{all}};
}
/// The same for a span of constant length.
template <class T, std::size_t N>
    requires detail::is_borrowable<std::span<T, N>>
[[nodiscard]] allocation<borrowed_memory> borrow(std::span<T, N>&& array) {
    return sonde::borrow(array);
}

/// Cache policy: state of a message in the host's caches when an iteration begins. `slice` keeps it warm,
/// `allocation::cold` makes rotating buffers, `flushed_sync` flushes the caches.
enum class cache : unsigned char { warm, rotate, flush };

/// Evicts all other data from the host's caches: dirty lines replace others under any replacement policy.
class eviction {
public:
    /// Two last-level caches by default: one cache size may fit beside the data to evict.
    explicit eviction(std::size_t bytes = 2 * last_level_cache()) : bytes_{bytes} { bytes_.fill(std::byte{0}); }

    /// Stores to each line; volatile, so that compilers keep all stores. Not memset, whose non-temporal stores bypass
    /// the caches.
    void operator()() {
        constexpr std::size_t line = 64; // the shortest cache line in use
        auto const all = bytes_.bytes();
        for (std::size_t at = 0; at < all.size(); at += line) {
            auto volatile* const first = reinterpret_cast<unsigned char volatile*>(all.data() + at);
            *first = static_cast<unsigned char>(*first + 1);
        }
    }
    /// The bytes that are written.
    region bytes() const& { return bytes_.bytes(); }
    void bytes() const&& = delete;

private:
    host_allocation bytes_;
};

} // namespace sonde

#if SONDE_DEFINITIONS
#include <cstdio>

namespace sonde::inline v0_1::detail {

/// Size in bytes of cache `index` of processor 0 according to Linux ("32768K"), 0 if unknown.
SONDE_INLINE std::size_t cache_size(int index) {
    char path[80];
    std::snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
    std::FILE* const file = std::fopen(path, "r");
    if (file == nullptr) return 0;
    unsigned long size = 0;
    char unit = 0;
    auto const fields = std::fscanf(file, "%lu%c", &size, &unit);
    std::fclose(file);
    if (fields < 1) return 0;
    return size * (unit == 'K' ? 1024u : unit == 'M' ? 1024u * 1024u : 1u);
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE std::size_t last_level_cache() {
    static std::size_t const bytes = [] {
        std::size_t largest = 0;
        for (int index = 0; index != 8; ++index)
            if (auto const size = detail::cache_size(index); size > largest) largest = size;
        return largest == 0 ? std::size_t{64} << 20 : largest; // above most caches, so that cold buffers are cold
    }();
    return bytes;
}

} // namespace sonde

#endif

#include <sonde/detail/hooks.inc>
