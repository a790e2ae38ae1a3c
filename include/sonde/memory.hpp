// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/detail/cache_size.hpp>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sonde {

/// Where bytes come from.
///
///     m.allocate(n) -> void*     n bytes, n > 0; throws when it cannot
///     m.deallocate(p, n)         what allocate(n) gave
///     m.fill(region, byte)       every byte of the region
///     M::host_accessible         constant bool: may the host dereference it?
///     M::device_accessible       constant bool: may a device?
template <class M>
concept Memory = requires(M& m, void* p, std::size_t n, region r, std::byte b) {
    { m.allocate(n) } -> std::same_as<void*>;
    m.deallocate(p, n);
    m.fill(r, b);
    { M::host_accessible } -> std::convertible_to<bool>;
    { M::device_accessible } -> std::convertible_to<bool>;
};

/// Bytes of a memory, owned: the source of buffers, which refer to it and must not outlive it.
template <Memory M>
class allocation {
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

    region bytes() const { return {static_cast<std::byte*>(data_), bytes_}; }
    void fill(std::byte value) { memory_.fill(bytes(), value); }

    /// The first n bytes, warm. Throws std::length_error when there are fewer.
    slice first(std::size_t n) const {
        require(n);
        return slice{bytes().first(n)};
    }

    /// Messages of n bytes, each in a region of its own, `regions` of them without overlap.
    rotating apart(std::size_t n, std::size_t regions) const {
        auto const stride = stride_of(n);
        require(stride * (regions - 1) + n);
        return rotating{bytes().first(stride * (regions - 1) + n), n, stride};
    }

    /// Messages of n bytes that no cache holds: strides through the whole allocation, which must be twice
    /// `last_level_cache()` or more (`cold_bytes(n)`).
    rotating cold(std::size_t n) const {
        require(cold_bytes(n));
        return rotating{bytes(), n, stride_of(n)};
    }

    /// How many bytes `cold(n)` needs: two last-level caches, and two messages at least.
    static std::size_t cold_bytes(std::size_t n) {
        auto const caches = 2 * last_level_cache(), messages = 2 * stride_of(n);
        return caches > messages ? caches : messages;
    }

    /// Regions start on cache lines of their own, two apart, so that no prefetch of one brings the next.
    static std::size_t stride_of(std::size_t n) { return (n + 255) / 128 * 128; }

private:
    void require(std::size_t n) const {
        if (n > bytes_) throw std::length_error{"sonde::allocation: more bytes asked for than were allocated"};
    }

    M memory_;
    std::size_t bytes_;
    void* data_;
};

} // namespace sonde
