// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/pt2pt/touch_cost.hpp"
#include "suite/memory.hpp"

#include <sonde/link.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace osu {

// Message paths: `path(link)` returns the link by which messages go from the buffers of this rank to the MPI library.

/// The MPI library gets the addresses of the buffers.
struct direct_path {
    template <class L>
    L operator()(L link) const {
        return link;
    }
};

/// Page-locked host memory for the staged messages of all points. It is allocated before the first row, so that no
/// point can fail on one rank while another one waits for it.
class staging_memory {
public:
    /// Throws refusal if memory is exhausted.
    explicit staging_memory(std::size_t bytes) : bytes_{bytes, memory{memory_kind::pinned_host}} {}
    staging_memory(staging_memory&&) = delete;

    /// The next n bytes. Throws std::length_error if fewer are left.
    void* allocate(std::size_t n) {
        auto const all = bytes_.bytes();
        if (n > all.size() - used_) throw std::length_error{"more host memory asked for than messages are staged in"};
        auto const next = all.subspan(used_, n);
        used_ += n;
        ++allocations_;
        return next.data();
    }
    /// After the last deallocation all bytes are free.
    void deallocate() {
        if (--allocations_ == 0) used_ = 0;
    }

private:
    sonde::allocation<memory> bytes_;
    std::size_t used_ = 0;
    std::size_t allocations_ = 0;
};

/// Host memory of the staged link of one point: a sonde::Memory.
struct point_staging {
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = true;

    staging_memory* from;

    void* allocate(std::size_t n) const { return from->allocate(n); }
    void deallocate(void*, std::size_t) const { from->deallocate(); }
    void fill(sonde::region bytes, std::byte value) const { sonde::host_memory{}.fill(bytes, value); }
};

/// `--staged`, for buffers in device memory: messages are copied to or from host memory.
struct staged_path {
    staging_memory& host;
    std::size_t window;

    template <class L>
    auto operator()(L link) const {
        return sonde::staged_link{std::move(link), memory{memory_kind::device}, point_staging{&host}, window};
    }
};

/// For buffers in managed memory: messages are touched by the side that uses the memory, except while contents are
/// validated.
struct touched_path {
    memory_kind kind;
    bool const* measuring;

    template <class L>
    auto operator()(L link) const {
        auto const touch_measured = [kind = kind, measuring = measuring](sonde::opaque_region bytes) {
            if (*measuring) touch(bytes, kind);
        };
        return sonde::touched_link{std::move(link), touch_measured};
    }
};

/// A path of a link to several peers: staging buffers would depend on the peer.
template <class T>
concept unstaged_path = !std::same_as<T, staged_path>;

} // namespace osu
