// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tools::replay {

/// One call of a rank in a pass, with its requests counted from the beginning of the pass.
struct ordered_call {
    step const* what = nullptr;
    std::size_t content = 0; // equal for calls with the same call site and arguments
    bool starts = false;     // a request
    std::size_t started = 0; // its number
    std::vector<std::size_t> completes{};
    bool is_message = false; // it sends, receives or probes messages, or completes such requests
    bool is_timed = true;    // its time counts in the operation that it belongs to
};

/// Numbers for the contents of calls, equal for equal ones on all ranks.
class call_contents {
public:
    std::size_t of(step const& s, program const& calls, thread_trace const& own);

private:
    std::map<std::string, std::size_t> numbers_;
    std::map<step const*, std::map<int, std::size_t>> known_; // of each rank
};

/// The most calls of all ranks in a pass that are put in order.
constexpr std::size_t most_ordered_calls = 1'000'000;

/// The calls of a pass on a rank that are replayed, in their order, with loops unrolled; none if they are more than
/// `most`.
std::optional<std::vector<ordered_call>> calls_in_order(std::vector<step const*> const& steps, program const& calls,
                                                        thread_trace const& own, call_contents& contents,
                                                        std::size_t most);

/// Copies of calls with the ages of their requests among these calls alone. Requests that other calls start, and calls
/// that complete nothing else, are left out.
std::vector<step> renumbered(std::vector<ordered_call> const& calls);

/// Calls of all ranks that belong together, and their contents.
using calls_of_ranks = std::vector<std::vector<ordered_call>>;
using contents_of_ranks = std::vector<std::vector<std::size_t>>;
contents_of_ranks contents_of(calls_of_ranks const& calls);
std::vector<std::vector<step>> renumbered(calls_of_ranks const& calls);

/// True if the messages that these calls send are received by them, and the requests that they start completed.
bool is_complete(trace const& t, calls_of_ranks const& calls);

} // namespace tools::replay
