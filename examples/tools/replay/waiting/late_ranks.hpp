// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/waiting/delay_costs.hpp"

#include <cstddef>
#include <vector>

namespace tools::replay {

/// Effects below which nothing is said of a rank, as shares of the ranks' time, and the rate of false alarms.
constexpr double smallest_waiting = 0.01, smallest_charge = 0.05, false_alarms = 0.01;

/// Waiting that delays of one kind of one rank caused.
struct rank_charge {
    int rank = 0;
    double seconds = 0;
    delay_source most{};      // its delay that caused the most
    std::size_t blocks = 0;   // in which this rank is the first, or one of the first two
    double probability = 1.0; // that any rank is so in as many blocks, if the ranks' work is equal
};

/// False if a rank that is the first in every block would not be named.
bool has_enough_blocks(std::size_t blocks, int ranks);

/// The charges of the ranks, the largest first. Blocks do not overlap.
///
/// In a block the ranks are in the order of the sums of the fourth roots of their charges in its passes, so that one
/// long disturbance does not hide a rank that is late in every pass, and a rank that is late in one pass is not lost.
/// Of 8 ranks or more two may be late at once: the probability is twice the lesser one of being the first, and of being
/// one of the first two.
std::vector<rank_charge> charges_of(std::vector<block_waiting> const& blocks, int ranks, delay_kind kind);

/// The ranks that are late: they have an effect, and are the first in more blocks than chance allows.
std::vector<rank_charge> late_ranks(std::vector<block_waiting> const& blocks, int ranks, delay_kind kind);

} // namespace tools::replay
