// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"
#include "tools/replay/waiting/pass_exchanges.hpp"

#include <sonde/lateness/lateness_record.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tools::replay {

/// Time of all ranks in an exchange, in the passes that are kept.
struct site_waiting {
    std::string call, site;                              // the call that takes longest
    sonde::seconds time{};                               // in the exchange
    std::array<sonde::seconds, wait_patterns> waiting{}; // by the pattern
    sonde::seconds caused{};                             // waiting because of delays before it, or in it

    sonde::seconds all_waiting() const;
};

/// Waiting in a loop, from the passes that are kept.
struct loop_waiting {
    std::size_t phase = 0; // of the profile
    std::uint64_t passes = 0;
    std::size_t kept = 0;
    std::vector<site_waiting> sites{}; // the longest waiting first
    sonde::lateness_record lateness{};
};

/// Waiting in a trace.
struct trace_waiting {
    std::vector<loop_waiting> loops{};
    std::string fault{}; // why there are none
};

/// Waiting in the loops that all ranks have, that are complete in themselves, and that take a hundredth of the time.
trace_waiting waiting_of(trace const& t);

} // namespace tools::replay
