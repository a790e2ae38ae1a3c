// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

// Calls of all ranks on one clock. The words are those of Scalasca: D. Bohme et al., Identifying the root causes of
// wait states in large-scale parallel applications, ICPP 2010.

namespace tools::replay {

/// Why a call waits: for another rank that enters its own call later.
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

/// A call of another rank that must begin before a call can end.
struct awaited_call {
    int rank = 0;
    std::size_t call = 0; // its number among the calls of that rank
    wait_pattern pattern{};
};

/// A call of a rank, in seconds of the common clock.
struct timed_call {
    std::size_t place = 0; // the call site and how often it was called before in the pass: equal on all ranks
    std::size_t pass = 0;  // of the block
    double think = 0;      // from the end of the call before it; from an earlier time are calls that are not kept
    double begin = 0, end = 0;
    bool is_collective = false; // also one that completes a collective
    std::vector<awaited_call> awaits{};
};

/// Passes of a loop that follow each other, on all ranks, each with its calls in their order.
using timed_block = std::vector<std::vector<timed_call>>;

/// The place of a call in a pass.
struct call_place {
    std::string call, site;
    std::size_t number = 0; // of earlier calls at the site in the pass
};

} // namespace tools::replay
