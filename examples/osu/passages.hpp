// SPDX-License-Identifier: BSL-1.0
// How a link passes messages on: as they are, through host memory, or touched where they are used.
#pragma once

#include "device.hpp"
#include "memory.hpp"
#include "staging_room.hpp"

#include <sonde/links/adaptors.hpp>

#include <concepts>
#include <cstddef>
#include <utility>

namespace osu {

struct as_it_is {
    template <class L>
    L operator()(L link) const {
        return link;
    }
};

/// `--staged`, on the side whose buffers are on a device.
struct by_staging {
    staging_room& room;
    std::size_t window;

    template <class L>
    auto operator()(L link) const {
        return sonde::staged_link{std::move(link), memory{placement::device}, borrowed_memory{&room}, window};
    }
};

/// Touches managed memory while measurements are under way; contents that are checked it leaves alone.
struct toucher {
    placement where;
    bool const* measuring;

    void operator()(sonde::opaque_region bytes) const {
        if (*measuring) touch(bytes, where);
    }
};

/// On a side whose buffers are managed memory.
struct by_touching {
    toucher with;

    template <class L>
    auto operator()(L link) const {
        return sonde::touched_link{std::move(link), with};
    }
};

/// A passage that puts no message into other memory: of a link to several peers, whose regions depend on the peer.
template <class T>
concept direct = !std::same_as<T, by_staging>;

} // namespace osu
