// SPDX-License-Identifier: BSL-1.0
// How a link passes messages on: as they are, through host memory, or touched where they are used.
#pragma once

#include "device.hpp"
#include "memory.hpp"

#include <sonde/staged.hpp>
#include <sonde/touched.hpp>

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

/// Page-locked memory of the host.
struct pinned_memory {
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = true;

    void* allocate(std::size_t n) const { return pinned_calls().allocate(n); }
    void deallocate(void* p, std::size_t n) const { pinned_calls().deallocate(p, n); }
    void fill(sonde::region bytes, std::byte value) const { pinned_calls().fill(bytes, value); }
};

/// `--staged`, on the side whose buffers are on a device.
struct by_staging {
    std::size_t window;

    template <class L>
    auto operator()(L link) const {
        return sonde::staged{std::move(link), memory{placement::device}, pinned_memory{}, window};
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
        return sonde::touched{std::move(link), with};
    }
};

/// A passage that puts no message into other memory: of a link to several peers, whose regions depend on the peer.
template <class T>
concept direct = !std::same_as<T, by_staging>;

} // namespace osu
