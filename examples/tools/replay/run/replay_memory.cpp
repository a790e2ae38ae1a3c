// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/replay_memory.hpp"

#include "tools/replay/run/replayed_calls.hpp"
#include "tools/replay/run/replayed_elements.hpp"
#include "tools/replay/run/replayed_windows.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tools::replay {

namespace {

/// Bytes of one side of a call. A list has the counts of both sides.
double memory_of(step const& s, program const& calls, std::int64_t count, std::int32_t type, double blocks) {
    auto const one = elements_of(calls, 1, type), all = elements_of(calls, count, type);
    auto const is_collective_of_counts = s.what.to == absent && s.what.from == absent;
    auto const listed = is_collective_of_counts
                            ? std::accumulate(s.counts.begin(), s.counts.end(), std::int64_t{0}) * one.n
                            : std::int64_t{0};
    auto const repeated = s.counts.empty() || is_collective_of_counts ? blocks : static_cast<double>(s.counts[0]);
    return static_cast<double>(all.memory()) * repeated +
           static_cast<double>(counted(listed)) * static_cast<double>(one.extent);
}

void add(std::vector<step> const& body, program const& calls, thread_trace const& own, double& sum, double& longest) {
    for (auto const& s : body) {
        add(s.body, calls, own, sum, longest);
        auto const& e = s.what;
        if (s.is_loop() || s.is_invalid || (e.comm < 0 && e.window < 0) || !has_partner(s)) continue;
        auto const name = blocking_name(s.call);
        auto const ranks = e.comm < 0 ? 1 : own.communicators[static_cast<std::size_t>(e.comm)].size();
        auto const is_of_all = is_collective(s) || makes_persistent_collective(s);
        auto const blocks = is_of_all && has_block_of_each_rank(name) ? ranks : 1;
        auto const sent = memory_of(s, calls, e.count, e.type, blocks);
        auto const received = memory_of(s, calls, e.recv_count, e.recv_type, blocks);
        sum += is_of_all ? std::max(sent, received) : received;
        longest = std::max(longest, sent);
    }
}

} // namespace

double memory_needed(trace const& t, thread_trace const& own) {
    auto const& calls = t.programs[own.program];
    double sum = 0, longest = 0;
    add(calls.body, calls, own, sum, longest);
    for (auto const& w : own.windows) sum += static_cast<double>(std::max(w.bytes, bytes_reached(t, w)));
    return sum + longest;
}

} // namespace tools::replay
