// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/run/replay_phases.hpp"
#include "tools/replay/trace/trace_reader.hpp"
#include "tools/replay/waiting/pass_exchanges.hpp"

#include <sonde/lateness/exchange_passes.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace tools::replay {

/// The kept passes of a loop on all ranks as passes of exchanges.
struct exchange_times {
    sonde::exchange_passes passes{};
    std::vector<pass_exchange> of_pass{};                     // in each pass of the loop, one step each
    std::vector<std::pair<std::string, std::string>> sites{}; // of each exchange: the call that takes longest, its site
    std::size_t kept = 0;                                     // passes of the loop
};

/// The times of a loop on the clock of rank 0. The trace has one thread of each rank, in their order. Times between
/// passes that are kept are taken out, the same on all ranks. The times before calls are works, if they take a
/// hundredth of the time.
exchange_times exchange_times_of(trace const& t, replay_phase const& loop);

} // namespace tools::replay
