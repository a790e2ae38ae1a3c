// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/pattern.hpp>

#include <array>
#include <concepts>
#include <cstddef>

namespace sonde {

/// Does a pattern move the right data? A pass of its own, never inside the timed loop. Collective over the group.
///
/// For each round on every rank: `prepare(round)` writes what is sent and clears what is received, a barrier, the
/// pattern once, `verify(round)` -> number of wrong elements here. The answer is their sum over rounds and ranks.
template <Group G, Pattern P, std::invocable<std::size_t> Prepare, std::invocable<std::size_t> Verify>
[[nodiscard]] std::size_t check(G& group, P& pattern, Prepare prepare, Verify verify, std::size_t rounds = 1) {
    std::array<double, 1> errors{};
    for (std::size_t round = 0; round != rounds; ++round) {
        prepare(round);
        group.barrier();
        pattern();
        sonde::complete(pattern);
        errors[0] += static_cast<double>(verify(round));
    }
    group.all_reduce(errors, reduction::sum);
    return static_cast<std::size_t>(errors[0]);
}

} // namespace sonde
