// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <nccl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace fake {

constexpr int most_ranks = 16;

/// Bytes on their way from one rank to another, in order. One writes, one reads.
struct ring {
    static constexpr std::size_t room = 65536;
    std::atomic<std::uint64_t> written;
    std::atomic<std::uint64_t> taken;
    std::byte bytes[room];

    std::size_t put(std::byte const* from, std::size_t n);
    std::size_t take(std::byte* into, std::size_t n);
};

/// What the ranks of a communicator share: zero at first, as new memory is.
struct segment {
    std::atomic<int> arrived; ///< ranks that have said where they are
    std::atomic<int> checked; ///< ranks that have looked where the others are
    std::atomic<bool> failed; ///< some rank is no more
    std::atomic<bool> absent; ///< some rank will not come
    std::atomic<int> devices[most_ranks];
    ring rings[most_ranks][most_ranks]; ///< from, to
};

/// A name that no other communicator has, and the memory of that name.
bool make_segment(ncclUniqueId& id);
std::shared_ptr<segment> open_segment(ncclUniqueId const& id);
void unlink_segment(ncclUniqueId const& id);

/// Let others work, who may be as many threads as there are cores.
void rest();

} // namespace fake
