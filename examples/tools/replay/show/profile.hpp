// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tools::replay {

/// Calls and their time, of all ranks.
struct call_totals {
    double calls = 0;
    double bytes = 0;   // sent, and got by one-sided operations
    double seconds = 0; // in the calls

    call_totals& operator+=(call_totals const& more) {
        calls += more.calls;
        bytes += more.bytes;
        seconds += more.seconds;
        return *this;
    }
};

/// Calls of a function at a call site in a phase.
struct call_row {
    std::size_t phase = 0;
    std::string call, site;
    call_totals totals{};
    std::set<std::pair<int, int>> partners{}; // of messages: sender and receiver in MPI_COMM_WORLD
    double slowest_rank = 0;                  // the most seconds of a rank
};

/// A loop that is in no other one, with the calls behind it up to the next; the first phase is before all loops.
struct phase_row {
    std::uint64_t fewest_passes = 0, most_passes = 0; // 0: before the first loop
    call_totals totals{};
    double think = 0; // seconds between the calls
};

struct pair_totals {
    double messages = 0, bytes = 0;
};

/// What ranks do.
struct profile {
    std::vector<phase_row> phases;
    std::vector<call_row> calls;                       // the longest time first
    std::map<std::pair<int, int>, pair_totals> pairs;  // point-to-point messages: sender, receiver
    std::map<int, double> message_sizes;               // number of messages below 2^n bytes; 0: empty ones
    std::map<std::string, std::uint64_t> not_recorded; // calls
    std::uint64_t dropped = 0;                         // events
    int ranks = 0;                                     // that are recorded
    double seconds = 0;                                // of the rank that was recorded for the longest time
    double in_calls = 0, between_calls = 0;            // of all ranks
};

profile profile_of(trace const& t);

/// "2: 100 passes"; "1: before" for what is before all loops.
std::string phase_text(profile const& p, std::size_t phase);

} // namespace tools::replay
