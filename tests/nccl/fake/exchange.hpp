// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "segment.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace fake {

/// One rank's side of a communicator. Shared with what is under way on streams.
struct member {
    member(std::shared_ptr<segment> with, int here, int ranks) : shared{std::move(with)}, rank{here}, size{ranks} {}

    std::shared_ptr<segment> shared;
    int rank;
    int size;
    std::atomic<bool> aborted{false};
    std::atomic<long> begun{0}; ///< operations put into streams: they are carried out one after the other
    std::atomic<long> ended{0};
};

/// Bytes to or from a peer.
struct transfer {
    int peer;
    bool sends;
    std::byte* at;
    std::size_t left;
};

/// All of them together; those to, or from, one peer in order. Ends early only where this rank is aborted: others that
/// are no more are waited for in vain, as on a device.
void exchange(member& me, std::vector<transfer> all);

} // namespace fake

/// What a program has a pointer to.
struct ncclComm {
    std::shared_ptr<fake::member> me;
};
