// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/waiting/pass_calls.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace tools::replay {

/// Why a call waits for another rank, in the words of Scalasca: D. Bohme et al., Identifying the root causes of wait
/// states in large-scale parallel applications, ICPP 2010.
enum class wait_pattern {
    late_sender,
    late_receiver,
    wait_at_barrier,
    wait_at_nxn,
    late_broadcast, // of a collective with a root that sends
    early_reduce,   // of the root of a collective that receives
    early_scan
};
constexpr std::size_t wait_patterns = 7;

/// "late sender".
char const* name_of(wait_pattern pattern);

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

using calls_of_all = std::vector<std::vector<pass_call>>;

/// The exchanges of a pass in an order that all ranks keep. Messages are matched in the order in which both sides start
/// them. Calls belong together if one waits for another, if a message of one is under way in the other, which follows,
/// or if no order would keep them apart; ranks that make the same calls at the same time among themselves have one
/// exchange.
std::vector<pass_exchange> exchanges_of(trace const& t, calls_of_all const& calls);

} // namespace tools::replay
