// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/waiting/wait_states.hpp"

#include <algorithm>

namespace tools::replay {

wait_state wait_of(timed_call const& call, int rank, timed_block const& block, std::span<double const> errors) {
    wait_state found;
    auto const error_of = [&](int of) { return errors[static_cast<std::size_t>(of)]; };
    for (auto const& awaited : call.awaits) {
        auto const begin = block[static_cast<std::size_t>(awaited.rank)][awaited.call].begin;
        if (awaited.pattern == wait_pattern::late_receiver && begin >= call.end) continue;
        auto const seconds = std::min(begin, call.end) - call.begin;
        if (seconds > found.seconds && seconds > error_of(rank) + error_of(awaited.rank)) found = {seconds, awaited};
    }
    return found;
}

} // namespace tools::replay
