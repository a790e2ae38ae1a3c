// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"
#include "setting.hpp"

#include <cstddef>
#include <optional>

namespace imb {

// The memory of a size: functions of numbers alone.

/// Why a size cannot be measured. Of several ranks' the largest counts.
enum class failure : unsigned char { none, time_out, memory, overflow };

/// What places follow from.
struct places {
    lengths of_one;             // bytes that a repetition needs
    std::size_t most;           // repetitions
    std::optional<cache> apart; // -off_cache
    bool disjoint = false;      // a place for each repetition, unless -off_cache says where
    std::size_t room = 0;       // bytes for both directions
};

/// The slots of both directions, and how many repetitions they are for: fewer where there is no room for a place each.
struct space {
    slots sends;
    slots receives;
    std::size_t most = 0;

    std::size_t bytes() const { return sends.bytes() + receives.bytes(); }
};

space space_of(places const& p);

/// Does a size fit, of elements of so many bytes? MPI counts elements with an int.
failure failure_of(lengths const& messages, std::size_t element_bytes, space const& s, std::size_t room);

/// `-mem` in bytes.
std::size_t room_of(options const& asked);

} // namespace imb
