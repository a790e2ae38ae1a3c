// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"
#include "tools/replay/waiting/late_ranks.hpp"
#include "tools/replay/waiting/timed_calls.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tools::replay {

/// Seconds of all ranks in the calls of a function at a call site, in the passes that are kept.
struct site_waiting {
    std::string call, site;
    double seconds = 0;
    std::array<double, wait_patterns> waiting{}; // by the pattern
    double charged = 0;                          // waiting that delays before these calls, or in them, caused

    double all_waiting() const;
};

/// A rank that is late, and by what.
struct late_cause {
    rank_charge charge{};
    call_place place{};             // before or in which its largest delay is
    double seconds = 0, median = 0; // of the delay's interval: mean of the rank's passes, median of the ranks' means
    bool is_steady = true;          // half of the difference or more is there in half of the passes

    /// False for a transfer that takes longer at times. It need not be the rank's: where ranks share processors, a
    /// transfer waits for one.
    bool is_named() const { return charge.most.kind == delay_kind::computation || is_steady; }
};

/// Waiting in a loop, from the passes that are kept.
struct loop_waiting {
    std::size_t phase = 0; // of the profile
    std::uint64_t passes = 0;
    std::size_t kept = 0;
    double error = 0;                   // of a difference of two ranks' clocks, in seconds
    double seconds = 0, waiting = 0;    // of all ranks, in the kept passes
    double charged = 0;                 // waiting that some rank's delays caused
    std::vector<site_waiting> sites{};  // the longest waiting first
    std::vector<rank_charge> charges{}; // the largest first
    bool has_enough_blocks = true;      // to name a rank
    std::vector<late_cause> late{};     // the ranks that are named
    double left_out = 0;                // messages whose partners are not known
    std::string fault{};                // why nothing is known

    bool is_slight() const { return waiting < smallest_waiting * seconds; }
};

/// Waiting in a trace.
struct trace_waiting {
    std::vector<loop_waiting> loops{};
    std::string fault{}; // why there are none
};

/// Waiting in the loops that all ranks have, that are complete in themselves, and that take a hundredth of the time.
trace_waiting waiting_of(trace const& t);

} // namespace tools::replay
