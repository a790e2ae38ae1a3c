// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/waiting/timed_calls.hpp"
#include "tools/replay/waiting/wait_states.hpp"

#include <compare>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace tools::replay {

enum class delay_kind { computation, transfer };

/// What made ranks late: a rank's computation before a call, or its transfer in it.
struct delay_source {
    int rank = 0;
    delay_kind kind{};
    std::size_t place = 0;

    friend auto operator<=>(delay_source const&, delay_source const&) = default;
};

/// In place of a rank: what is before a block or in passes that are not kept; the order in which a collective's
/// algorithm lets ranks go on.
constexpr int before_passes = -1, order_of_collective = -2;

/// Seconds that a rank is behind, by what made it late.
using delays = std::map<delay_source, double>;

/// Waiting in a block of passes.
struct block_waiting {
    double seconds = 0; // of all ranks, but for passes that are not kept
    double waiting = 0;
    std::map<delay_source, double> charged{}; // waiting that each delay caused; the rest has no late rank
    std::vector<std::map<delay_source, double>> charged_in_pass{};
    std::vector<std::vector<wait_state>> states{}; // of each call
    std::map<delay_source, double> own{}; // seconds by which a rank took longer than the ranks' median, in all passes
};

/// The lower of both middle values: of two ranks the slower one is late, and the other one is not early.
double lower_median(std::vector<double> of);

/// Charges the waiting of all calls to the delays that caused it, by the delay costs of Bohme et al.
///
/// Each rank has delays that made it late: its own computation between two calls, minus the ranks' median of the same
/// pass, and its own transfer in calls, minus the median. A rank that waited for another one takes over the delays of
/// that one as they were when it entered the awaited call. Its waiting is charged to the delays that the other one had
/// more of, in proportion. So the ranks between a late one and those who wait for it are charged with nothing.
block_waiting delay_costs(timed_block const& block, std::span<double const> errors);

} // namespace tools::replay
