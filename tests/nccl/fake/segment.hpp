// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <nccl.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace fake {

constexpr int most_ranks = 16;

/// Bytes in flight from one rank to another, in order, with one writer and one reader.
struct ring {
    static constexpr std::size_t room = 65536;
    std::atomic<std::uint64_t> written;
    std::atomic<std::uint64_t> taken;
    std::byte bytes[room];

    std::size_t put(std::byte const* from, std::size_t n);
    std::size_t take(std::byte* into, std::size_t n);
};

/// The shared memory of a communicator's ranks: zero at first, as new memory is.
struct segment {
    std::atomic<int> arrived; ///< ranks that have stored their devices
    std::atomic<int> checked; ///< ranks that have read the others' devices
    std::atomic<bool> failed; ///< some rank has terminated
    std::atomic<bool> absent; ///< some rank will not join
    std::atomic<int> devices[most_ranks];
    ring rings[most_ranks][most_ranks]; ///< from, to
};

/// Creates a unique name and the shared memory of that name.
bool make_segment(ncclUniqueId& id);
std::shared_ptr<segment> open_segment(ncclUniqueId const& id);
void unlink_segment(ncclUniqueId const& id);

/// Lets other threads run, of which there may be more than cores.
void rest();

} // namespace fake
