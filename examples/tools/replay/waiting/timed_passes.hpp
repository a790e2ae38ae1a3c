// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/run/replay_phases.hpp"
#include "tools/replay/trace/trace_reader.hpp"
#include "tools/replay/waiting/timed_calls.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tools::replay {

/// The kept passes of a loop on all ranks.
struct timed_loop {
    std::vector<call_place> places{};
    std::vector<timed_block> blocks{}; // of passes that follow each other
    std::size_t passes = 0;            // kept, in all blocks
    std::vector<double> errors{};      // of each rank's clock, in seconds
    double left_out = 0;               // messages of these passes whose partners are not known
    std::string fault{};               // why there are no blocks
};

/// The calls of a loop of the trace on the clock of rank 0, with the calls of other ranks that they await. The trace
/// has one thread of each rank, in their order.
timed_loop timed_loop_of(trace const& t, replay_phase const& loop);

} // namespace tools::replay
