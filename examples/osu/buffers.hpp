// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "memory.hpp"

#include <sonde/buffer.hpp>
#include <sonde/memory.hpp>

#include <cstddef>

namespace osu {

/// Where messages of one size lie: `count` regions of `span` bytes, `stride` apart.
struct places {
    std::size_t span;
    std::size_t count;
    std::size_t stride;

    places(std::size_t bytes, std::size_t regions)
        : span{bytes}, count{regions}, stride{sonde::host_allocation::stride_of(bytes)} {}
    std::size_t bytes() const { return (count - 1) * stride + span; }
};

/// Memory for the largest messages of a run: one side of the exchange.
class buffer {
public:
    buffer(std::size_t bytes, placement where) : memory_{where}, bytes_{bytes, memory_} {}
    explicit buffer(places largest, placement where = placement::host) : buffer{largest.bytes(), where} {}

    void fill(places at, char value) {
        for (std::size_t i = 0; i != at.count; ++i) memory_.fill(region(at, i), static_cast<std::byte>(value));
    }
    sonde::opaque_region region(places at, std::size_t i) const {
        return bytes_.bytes().subspan(i * at.stride, at.span);
    }
    void write(places at, std::size_t i, std::span<std::byte const> from) { bytes_.write(i * at.stride, from); }
    void read(places at, std::size_t i, sonde::region into) const { bytes_.read(i * at.stride, into); }

    /// The same region for all messages.
    sonde::opaque_slice together(places at) const { return sonde::opaque_slice{region(at, 0)}; }
    /// A region of its own for each message of a window.
    sonde::opaque_rotating apart(places at) const { return {bytes_.bytes().first(at.bytes()), at.span, at.stride}; }

private:
    memory memory_;
    sonde::allocation<memory> bytes_;
};

} // namespace osu
