// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>

namespace sonde {

/// Bytes that the host may dereference. The core passes regions on and never looks into them.
using region = std::span<std::byte>;

/// Bytes that the host must not dereference, or may not know whether it may: an address to pass on.
///
/// A region is one, too; not the other way round, so that what looks into bytes does not compile for those of a device.
class opaque_region {
public:
    constexpr opaque_region() = default;
    template <std::convertible_to<region> R>
    constexpr opaque_region(R&& bytes) {
        region const r{std::forward<R>(bytes)};
        data_ = r.data();
        size_ = r.size();
    }
    constexpr opaque_region(std::byte* data, std::size_t size, bool on_device)
        : data_{data}, size_{size}, on_device_{on_device} {}

    /// An address on the device, or of the host.
    constexpr std::byte* data() const { return data_; }
    constexpr std::size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    /// Would a library that knows nothing of devices crash on it?
    constexpr bool on_device() const { return on_device_; }

    constexpr opaque_region first(std::size_t n) const { return {data_, n, on_device_}; }
    constexpr opaque_region subspan(std::size_t at, std::size_t n) const { return {data_ + at, n, on_device_}; }
    constexpr opaque_region subspan(std::size_t at) const { return subspan(at, size_ - at); }

private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    bool on_device_ = false;
};

/// Where the messages of a pattern lie.
///
///     b.next()    the region of the next message
///     b.size()    bytes of one message, the same for all
///     b.regions() optional: after how many messages the regions repeat; 1 by default
template <class B>
concept Buffer = requires(B& b, B const& c) {
    b.next();
    { c.size() } -> std::convertible_to<std::size_t>;
};

template <Buffer B>
using region_of = decltype(std::declval<B&>().next());

template <Buffer B>
[[nodiscard]] std::size_t regions(B const& buffer) {
    if constexpr (requires {
                      { buffer.regions() } -> std::convertible_to<std::size_t>;
                  })
        return buffer.regions();
    else return 1;
}

/// The same region every time: what a cache can hold stays warm.
template <class Region>
class basic_slice {
public:
    basic_slice() = default;
    explicit basic_slice(Region bytes) : bytes_{bytes} {}
    Region next() const { return bytes_; }
    std::size_t size() const { return bytes_.size(); }

private:
    Region bytes_{};
};
using slice = basic_slice<region>;
using opaque_slice = basic_slice<opaque_region>;

/// A new region for every message, at multiples of `stride` through `bytes`, then from the start again.
///
/// Through twice the last-level cache or more, every message is cold (`allocation::cold`); through as many regions as
/// a window has messages, the messages of a window do not overlap.
template <class Region>
class basic_rotating {
public:
    basic_rotating(Region bytes, std::size_t size, std::size_t stride) : bytes_{bytes}, size_{size}, stride_{stride} {
        if (stride < size || stride == 0 || bytes.size() < size)
            throw std::invalid_argument{
                "sonde::rotating: the stride must be at least the size, and one region must fit"};
    }
    Region next() {
        auto const here = bytes_.subspan(at_, size_);
        at_ = at_ + stride_ + size_ <= bytes_.size() ? at_ + stride_ : 0;
        return here;
    }
    std::size_t size() const { return size_; }
    std::size_t regions() const { return (bytes_.size() - size_) / stride_ + 1; }

private:
    Region bytes_;
    std::size_t size_;
    std::size_t stride_;
    std::size_t at_ = 0;
};
using rotating = basic_rotating<region>;
using opaque_rotating = basic_rotating<opaque_region>;

} // namespace sonde
