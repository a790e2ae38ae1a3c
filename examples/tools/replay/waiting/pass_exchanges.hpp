// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/waiting/matched_calls.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace tools::replay {

/// Calls of a rank in an exchange.
struct exchange_part {
    std::size_t first = 0, last = 0;        // that wait
    std::size_t sent = 0;                   // from this call on no partner waits for the rank; `first` or before it
    bool awaits_all = false;                // the rank waits for all ranks, by the pattern of the exchange
    std::map<int, wait_pattern> partners{}; // otherwise the ranks that it waits for
};

/// Calls of ranks that wait for each other in a pass of a loop.
struct pass_exchange {
    std::map<int, exchange_part> ranks{};
    wait_pattern of_all{}; // of those that wait for all ranks
};

/// The exchanges of a pass in an order that all ranks keep. Messages are matched in the order in which both sides start
/// them. Calls belong together if one waits for another, if a message of one is under way in the other, which follows,
/// or if no order would keep them apart; ranks that make the same calls at the same time among themselves have one
/// exchange.
std::vector<pass_exchange> exchanges_of(trace const& t, calls_of_all const& calls);

} // namespace tools::replay
