// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>

namespace sonde {

/// Bytes somewhere. The core passes regions on and never looks into them: they may be on a device.
using region = std::span<std::byte>;

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
std::size_t regions(B const& buffer) {
    if constexpr (requires {
                      { buffer.regions() } -> std::convertible_to<std::size_t>;
                  })
        return buffer.regions();
    else return 1;
}

/// The same region every time: what a cache can hold stays warm.
class slice {
public:
    slice() = default;
    explicit slice(region bytes) : bytes_{bytes} {}
    region next() const { return bytes_; }
    std::size_t size() const { return bytes_.size(); }

private:
    region bytes_{};
};

/// A new region for every message, at multiples of `stride` through `bytes`, then from the start again.
///
/// Through twice the last-level cache or more, every message is cold (`allocation::cold`); through as many regions as
/// a window has messages, the messages of a window do not overlap.
class rotating {
public:
    rotating(region bytes, std::size_t size, std::size_t stride) : bytes_{bytes}, size_{size}, stride_{stride} {
        if (stride < size || stride == 0 || bytes.size() < size)
            throw std::invalid_argument{
                "sonde::rotating: the stride must be at least the size, and one region must fit"};
    }
    region next() {
        auto const here = bytes_.subspan(at_, size_);
        at_ = at_ + stride_ + size_ <= bytes_.size() ? at_ + stride_ : 0;
        return here;
    }
    std::size_t size() const { return size_; }
    std::size_t regions() const { return (bytes_.size() - size_) / stride_ + 1; }

private:
    region bytes_;
    std::size_t size_;
    std::size_t stride_;
    std::size_t at_ = 0;
};

} // namespace sonde
