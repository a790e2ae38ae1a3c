// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/detail/cache_size.hpp>

#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace sonde {

/// What a memory's bytes are: a region where the host may dereference them, else an opaque one.
template <class M>
using region_in =
    std::conditional_t<static_cast<bool>(std::remove_reference_t<M>::host_accessible), region, opaque_region>;

/// Where bytes come from.
///
///     m.allocate(n) -> void*     n bytes, n > 0; throws when it cannot
///     m.deallocate(p, n)         what allocate(n) gave
///     m.fill(r, byte)            every byte; r: region_in<M>
///     M::host_accessible         constant bool: may the host dereference it?
///     M::device_accessible       constant bool: may a device?
///
/// What the host must not dereference, it copies, before or after the clock:
///
///     m.write(r, bytes)          host bytes (span of const) to the region
///     m.read(bytes, r)           the region to host bytes
///     m.write(r, bytes, of)      optional: the bytes lie in memory of the kind `of`, from which a copy costs less
///     m.on_device() -> bool      optional: is that known only while the program runs? M::device_accessible by default
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

/// Bytes of a memory, owned: the source of buffers, which refer to it and must not outlive it.
template <Memory M>
class [[nodiscard]] allocation {
public:
    explicit allocation(std::size_t bytes, M memory = {})
        : memory_{std::move(memory)}, bytes_{bytes}, data_{bytes == 0 ? nullptr : memory_.allocate(bytes)} {}
    allocation(allocation&& other) noexcept
        : memory_{std::move(other.memory_)}, bytes_{std::exchange(other.bytes_, 0)},
          data_{std::exchange(other.data_, nullptr)} {}
    allocation& operator=(allocation&&) = delete;
    ~allocation() {
        if (data_ != nullptr) memory_.deallocate(data_, bytes_);
    }

    region_in<M> bytes() const& {
        auto* const first = static_cast<std::byte*>(data_);
        if constexpr (M::host_accessible) return {first, bytes_};
        else return {first, bytes_, on_device()};
    }
    void fill(std::byte value) { memory_.fill(bytes(), value); }
    M const& memory() const& { return memory_; }

    /// Copy host bytes to `at` bytes behind the first. Throws std::length_error where they would stand out.
    void write(std::size_t at, std::span<std::byte const> from) {
        require(holds(at, from.size()));
        if (from.empty()) return;
        auto const to = bytes().subspan(at, from.size());
        if constexpr (M::host_accessible) std::memcpy(to.data(), from.data(), from.size());
        else memory_.write(to, from);
    }
    /// Copy what is `at` bytes behind the first to the host.
    void read(std::size_t at, region into) const {
        require(holds(at, into.size()));
        if (into.empty()) return;
        auto const from = bytes().subspan(at, into.size());
        if constexpr (M::host_accessible) std::memcpy(into.data(), from.data(), into.size());
        else memory_.read(into, from);
    }

    /// The first n bytes, warm. Throws std::length_error when there are fewer.
    basic_slice<region_in<M>> first(std::size_t n) const& {
        require(n <= bytes_);
        return basic_slice<region_in<M>>{bytes().first(n)};
    }

    /// Messages of n bytes, each in a region of its own, `regions` of them without overlap.
    basic_rotating<region_in<M>> apart(std::size_t n, std::size_t regions) const& {
        require(n <= bytes_);
        auto const stride = stride_of(n);
        require(regions - 1 <= (bytes_ - n) / stride);
        return {bytes().first(stride * (regions - 1) + n), n, stride};
    }

    /// Messages of n bytes that no cache of the host holds: strides through the whole allocation, which must be twice
    /// `last_level_cache()` or more (`cold_bytes(n)`). Nothing is known of a device's caches, so none is promised for
    /// memory that only a device may access.
    rotating cold(std::size_t n) const&
        requires(M::host_accessible)
    {
        require(n <= bytes_ && cold_bytes(n) <= bytes_);
        return {bytes(), n, stride_of(n)};
    }

    // A temporary is gone when what it hands out is used.
    void bytes() const&& = delete;
    void memory() const&& = delete;
    void first(std::size_t n) const&& = delete;
    void apart(std::size_t n, std::size_t regions) const&& = delete;
    void cold(std::size_t n) const&& = delete;

    /// How many bytes `cold(n)` needs: two last-level caches, and two messages at least.
    static std::size_t cold_bytes(std::size_t n)
        requires(M::host_accessible)
    {
        auto const caches = 2 * last_level_cache(), messages = 2 * stride_of(n);
        return caches > messages ? caches : messages;
    }

    /// Regions start on cache lines of their own, two apart, so that no prefetch of one brings the next.
    static std::size_t stride_of(std::size_t n) { return (n + 255) / 128 * 128; }

private:
    bool holds(std::size_t at, std::size_t n) const { return at <= bytes_ && n <= bytes_ - at; }
    static void require(bool enough) {
        if (!enough) throw std::length_error{"sonde::allocation: more bytes asked for than were allocated"};
    }

    bool on_device() const {
        if constexpr (requires { memory_.on_device(); }) return memory_.on_device();
        else return M::device_accessible;
    }

    mutable M memory_; // copying out of it does not change what is owned
    std::size_t bytes_;
    void* data_;
};

} // namespace sonde
