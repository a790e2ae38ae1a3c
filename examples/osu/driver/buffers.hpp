// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"
#include "suite/contents.hpp"
#include "suite/memory.hpp"

#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>

#include <algorithm>
#include <cstddef>

namespace osu {

/// Layout of a buffer: `count` regions of `span` bytes, `stride` bytes apart. Each region holds one message.
struct region_layout {
    std::size_t span;
    std::size_t count;
    std::size_t stride;

    region_layout(std::size_t bytes, std::size_t regions)
        : span{bytes}, count{regions}, stride{sonde::host_allocation::stride_of(bytes)} {}
    std::size_t bytes() const { return (count - 1) * stride + span; }
};

/// Send or receive buffer of one rank, for the largest messages of a run, of any kind of memory.
class buffer {
public:
    buffer(std::size_t bytes, memory_kind where) : memory_{where}, bytes_{bytes, memory_} {}
    explicit buffer(region_layout largest, memory_kind where = memory_kind::host) : buffer{largest.bytes(), where} {}

    void fill(region_layout at, char value) {
        for (std::size_t i = 0; i != at.count; ++i) memory_.fill(region(at, i), static_cast<std::byte>(value));
    }
    sonde::opaque_region region(region_layout at, std::size_t i) const {
        return bytes_.bytes().subspan(i * at.stride, at.span);
    }
    suite::host_view view(sonde::opaque_region bytes) const { return {memory_, bytes}; }

    /// One region for all messages.
    sonde::opaque_slice single(region_layout at) const { return sonde::opaque_slice{region(at, 0)}; }
    /// The regions in turn, one for each message.
    sonde::opaque_rotating multiple(region_layout at) const {
        return {bytes_.bytes().first(at.bytes()), at.span, at.stride};
    }

private:
    memory memory_;
    sonde::allocation<memory> bytes_;
};

/// Number of regions of a buffer of messages of `span` bytes, `in_flight` of which are in flight at once: 1; with
/// `-b multiple` one for each message in flight; with `--cache rotating` at least two, and together twice the last
/// cache.
inline std::size_t regions_for(options const& asked, std::size_t span, std::size_t in_flight) {
    auto const multiple = asked.buffers_apart ? in_flight : 1;
    if (asked.cache != sonde::cache::rotate) return multiple;
    auto const rotating = 2 * sonde::last_level_cache() / sonde::host_allocation::stride_of(span) + 1;
    return std::max({multiple, rotating, std::size_t{2}});
}

/// Bytes of a buffer that has room for the regions of every message of at most `largest` bytes.
inline std::size_t bytes_for(options const& asked, std::size_t largest, std::size_t in_flight) {
    auto const of_largest = region_layout{largest, regions_for(asked, largest, in_flight)}.bytes();
    return asked.cache == sonde::cache::rotate ? std::max(of_largest, 2 * sonde::last_level_cache() + largest)
                                               : of_largest;
}

} // namespace osu
