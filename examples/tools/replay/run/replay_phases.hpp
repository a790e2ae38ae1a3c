// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tools::replay {

/// Calls of all ranks that are complete in themselves: each message that they send is received by them, and each
/// request that they start is completed by them. So they can be repeated alone.
struct replay_phase {
    std::string name;                            // "loop 2", "before loop 2", "after loop 2", "all"
    std::uint64_t passes = 1;                    // in the application
    std::vector<std::vector<step const*>> steps; // of each rank, in their order
    std::string remark;                          // of all calls as one phase: why they are not several
};

/// Number of calls of each function that is left out, on all ranks.
std::map<std::string, std::uint64_t> left_out(trace const& t);

/// Throws std::runtime_error if the trace cannot be replayed on this number of ranks; the message says why.
void require_replayable(trace const& t, int ranks);

/// The phases in their order, which refer to the trace: each loop that all ranks have and that takes a hundredth of
/// rank 0's time or more, and what is between these loops. If what is between them is not complete in itself, there is
/// one phase of all calls. Throws std::runtime_error, with the reason, if all calls together are not complete.
std::vector<replay_phase> phases_of(trace const& t);

/// The loops among the phases alone, also of a trace whose calls are not complete between them.
std::vector<replay_phase> complete_loops_of(trace const& t);

} // namespace tools::replay
