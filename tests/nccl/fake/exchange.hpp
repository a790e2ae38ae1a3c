// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "segment.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace fake {

/// One rank's side of a communicator. Shared with active operations of streams.
struct member {
    member(std::shared_ptr<segment> with, int here, int ranks) : shared{std::move(with)}, rank{here}, size{ranks} {}

    std::shared_ptr<segment> shared;
    int rank;
    int size;
    std::atomic<bool> aborted{false};
    std::atomic<long> begun{0}; ///< operations enqueued in streams, executed one after the other
    std::atomic<long> ended{0};
};

/// Bytes to or from a peer.
struct transfer {
    int peer;
    bool sends;
    std::byte* at;
    std::size_t left;
};

/// Executes all transfers together; those with one peer and direction in order. Ends early only if this rank is
/// aborted: a wait for a terminated rank does not end, as on a device.
void exchange(member& me, std::vector<transfer> all);

} // namespace fake

/// The object behind a program's pointer.
struct ncclComm {
    std::shared_ptr<fake::member> me;
};
