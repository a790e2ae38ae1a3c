// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <stdexcept>

namespace sonde {

/// Who a rank is, and to whom it talks; an idle rank talks to nobody (peer -1).
struct seat {
    role who = role::idle;
    int peer = -1;
};

/// Rank r < pairs initiates, rank r + pairs responds, the rest are idle.
/// Throws std::invalid_argument for a negative rank or number of pairs.
[[nodiscard]] inline seat pair_up(int rank, int pairs) {
    if (rank < 0 || pairs < 0) throw std::invalid_argument{"sonde::pair_up: rank and pairs must not be negative"};
    if (rank < pairs) return {role::initiator, rank + pairs};
    if (rank - pairs < pairs) return {role::responder, rank - pairs};
    return {};
}

} // namespace sonde
