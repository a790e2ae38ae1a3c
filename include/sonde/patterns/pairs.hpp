// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <stdexcept>

namespace sonde {

/// Role and peer of a rank that communicates in a pair; an idle rank has no peer (-1).
struct pairing {
    sonde::role role = sonde::role::idle;
    int peer = -1;
};

/// Pairing of `rank` among the given number of pairs: rank r < pairs is an initiator, its peer r + pairs a responder;
/// the other ranks are idle. Throws std::invalid_argument for a negative rank or number of pairs.
[[nodiscard]] inline pairing pair_of(int rank, int pairs) {
    if (rank < 0 || pairs < 0) throw std::invalid_argument{"sonde::pair_of: rank and pairs must not be negative"};
    if (rank < pairs) return {role::initiator, rank + pairs};
    if (rank - pairs < pairs) return {role::responder, rank - pairs};
    return {};
}

/// Messages of an exchange that one initiator counts in its traffic: those of both directions, or those it sends.
enum class directions : unsigned char { both, sent };

} // namespace sonde
