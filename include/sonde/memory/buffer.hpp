// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/misuse.hpp>
#include <sonde/version.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>

#include <sonde/detail/hooks.inc>

namespace sonde::inline v0_1 {

/// Host-accessible bytes. In the timed loop the core passes regions on and never reads or writes them.
using region = std::span<std::byte>;

/// Runtimes of devices.
enum class device_runtime : unsigned char { cuda, rocm };

/// Bytes that the host may be unable to dereference, such as device memory. A region converts to an opaque region, but
/// not vice versa, so that code which dereferences bytes does not compile for device memory.
class opaque_region {
public:
    constexpr opaque_region() = default;
    template <std::convertible_to<region> R>
    constexpr opaque_region(R&& bytes) : bytes_{std::forward<R>(bytes)} {}
    /// `runtime`: runtime of the device, if the bytes are on a device.
    constexpr opaque_region(std::byte* data, std::size_t size, bool on_device,
                            device_runtime runtime = device_runtime::cuda)
        : bytes_{data, size}, on_device_{on_device}, runtime_{runtime} {}

    /// Device or host address.
    constexpr std::byte* data() const { return bytes_.data(); }
    /// Number of bytes.
    constexpr std::size_t size() const { return bytes_.size(); }
    /// True if there are no bytes.
    constexpr bool empty() const { return bytes_.empty(); }
    /// True if a library that is not device-aware would crash on the address.
    constexpr bool on_device() const { return on_device_; }
    /// Runtime of the device; meaningless on the host.
    constexpr device_runtime runtime() const { return runtime_; }

    /// The first n bytes.
    constexpr opaque_region first(std::size_t n) const { return subspan(0, n); }
    /// The n bytes from `at` on.
    constexpr opaque_region subspan(std::size_t at, std::size_t n) const {
        return {data() + at, n, on_device_, runtime_};
    }
    /// All bytes from `at` on.
    constexpr opaque_region subspan(std::size_t at) const { return subspan(at, size() - at); }

private:
    region bytes_;
    bool on_device_ = false;
    device_runtime runtime_ = device_runtime::cuda;
};

/// Send or receive buffer of a pattern: it gives a region to each message.
///
///     b.next()     region of the next message
///     b.size()     bytes of each message
///     b.regions()  optional: number of regions, after which the sequence repeats; 1 by default
template <class B>
concept Buffer = requires(B& b, B const& c) {
    b.next();
    { c.size() } -> std::convertible_to<std::size_t>;
};

/// Message for a pattern with an argument that is not a buffer.
#define SONDE_NO_BUFFER                                                                                                \
    "the messages of a pattern come from a sonde::Buffer: make sonde::borrow(data) of a vector, in a variable, and "   \
    "pass its first(bytes); make sonde::slice{region} of bytes"

/// Type of a buffer's regions.
template <Buffer B>
using region_of = decltype(std::declval<B&>().next());

namespace detail::buffer_hook {
SONDE_HOOKS(SONDE_BUFFER_HOOKS);
} // namespace detail::buffer_hook

/// Number of regions of a buffer; 1 if it does not say.
[[nodiscard]] std::size_t regions(Buffer auto const& buffer) { return detail::buffer_hook::regions(buffer); }

/// Buffer of one region, which stays in cache if it fits.
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

/// Buffer whose regions lie `stride` bytes apart in `bytes`, for consecutive messages; after the last comes the first.
///
/// If `bytes` is twice the last-level cache or more, every message is cold (`allocation::cold`). With one region for
/// each message in flight, these messages do not overlap (`allocation::distinct_regions`). The constructor throws
/// std::invalid_argument unless 0 < stride, size <= stride and one region fits.
template <class Region>
class basic_rotating {
public:
    basic_rotating(Region bytes, std::size_t size, std::size_t stride) : bytes_{bytes}, size_{size}, stride_{stride} {
        if (stride < size || stride == 0 || bytes.size() < size)
            throw std::invalid_argument{
                "sonde::rotating: the stride must be at least the size, and one region must fit"};
    }
    Region next() {
        auto const current = bytes_.subspan(at_, size_);
        at_ = at_ + stride_ + size_ <= bytes_.size() ? at_ + stride_ : 0;
        return current;
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

#include <sonde/detail/hooks.inc>
