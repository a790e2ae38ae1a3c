// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/setting.hpp"
#include "suite/contents.hpp"

#include <sonde/clock.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/collective/operation.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace imb {

/// Initialize send buffers, each with the same contents: elements of four bytes that encode rank and index. Floats,
/// 0.1 * (rank + 1) + i; in IMB-IO integers.
void write_initial(message_buffers const& sent, int rank, bool io);

/// Bytes that hold a contribution of rank `from` before a repetition. (Both vectors of Reduce_local are local.)
struct contribution {
    sonde::contribution bytes;
    int from;
};

/// Data movement of a repetition, on this rank: bytes that are sent and bytes that must arrive.
struct data_movement {
    std::vector<contribution> contributions;
    std::vector<sonde::expected_block> expected;
};

template <sonde::CollectiveOperation K>
data_movement data_movement_of(K const& operation, int root, int rank) {
    data_movement moved{{}, operation.expected_blocks(root)};
    for (auto const& c : operation.contributions(root)) moved.contributions.push_back({c, rank});
    return moved;
}

/// Send and receive buffer of a repetition, of the setting's kind of memory.
struct regions {
    sonde::opaque_region out;
    sonde::opaque_region in;
};

/// Relative deviation; 1 above 0.01, and for memory that holds no finite number.
inline double deviation(double expected, double actual) {
    if (!sonde::detail::is_finite(actual)) return 1;
    if (actual == expected) return 0;
    if (expected == 0) return 1;
    auto const relative = std::abs(actual - expected) / std::abs(expected);
    return relative <= 0.01 ? relative : 1;
}

/// Keeps the largest deviation of wrong elements.
inline auto largest_of(double& most) {
    return [&most](suite::wrong_element const& w) { most = std::max(most, deviation(w.expected, w.actual)); };
}

/// `-check`, `-check_bits`: in each round, write known contents of the setting's element type, run one repetition, and
/// compare the arrived blocks. Returns the largest relative deviation over all ranks, as `deviation` counts it.
/// Collective over the setting's group.
double largest_deviation(setting& s, regions const& here, std::function<void()> repetition,
                         std::function<data_movement(std::size_t round)> const& moved, std::size_t least_rounds = 3);

} // namespace imb
