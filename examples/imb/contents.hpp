// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "setting.hpp"

#include <sonde/buffer.hpp>
#include <sonde/mpi/collectives/operation.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace imb {

/// Bytes that hold, before a repetition, what rank `from` contributes. (Of Reduce_local both vectors are here.)
struct contribution {
    sonde::mpi::contribution bytes;
    int from;
};

/// What a repetition does to contents on this rank.
struct movement {
    std::vector<contribution> gives;
    std::vector<sonde::mpi::expected_block> gets;
};

template <sonde::mpi::CollectiveOperation K>
movement movement_of(K const& kind, int root, int rank) {
    movement found{{}, kind.expected_blocks(root)};
    for (auto const& p : kind.contributions(root)) found.gives.push_back({p, rank});
    return found;
}

/// Where a repetition that is checked sends from and receives into.
struct regions {
    sonde::region out;
    sonde::region in;
};

/// The place of the first repetition, for all of them.
inline sonde::rotating first_slot(slots const& where, sonde::allocation<sonde::mpi::alloc_mem> const& memory,
                                  setting const& s) {
    return slots{1, where.stride}.of(memory, s.bytes * s.spread);
}

/// `-check`: in each round the contents of regions are made, one repetition runs, and what arrived is compared, by the
/// element of the setting. The largest relative deviation over ranks, more than 0.01 being 1. Collective.
double largest_deviation(setting& s, regions const& here, std::function<void()> repetition,
                         std::function<movement(std::size_t round)> const& moved, std::size_t rounds = 3);

} // namespace imb
