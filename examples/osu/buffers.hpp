// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/host.hpp>

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

/// Memory for the largest messages of a run, in page-aligned host memory: one side of the exchange.
class buffer {
public:
    explicit buffer(places largest) : memory_{largest.bytes()} {}

    void fill(places at, char value) {
        for (std::size_t i = 0; i != at.count; ++i)
            sonde::host_memory{}.fill(region(at, i), static_cast<std::byte>(value));
    }
    sonde::region region(places at, std::size_t i) const { return memory_.bytes().subspan(i * at.stride, at.span); }

    /// The same region for all messages.
    sonde::slice together(places at) const { return sonde::slice{region(at, 0)}; }
    /// A region of its own for each message of a window.
    sonde::rotating apart(places at) const { return {memory_.bytes().first(at.bytes()), at.span, at.stride}; }

private:
    sonde::host_allocation memory_;
};

} // namespace osu
