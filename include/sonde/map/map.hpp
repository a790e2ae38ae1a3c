// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clocks/offset.hpp>
#include <sonde/group.hpp>
#include <sonde/groups/pair.hpp>
#include <sonde/map/rounds.hpp>
#include <sonde/map/suspects.hpp>
#include <sonde/metrics.hpp>
#include <sonde/pattern.hpp>
#include <sonde/run.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace sonde {

/// Which pairs are measured at the same time: one pair, or all pairs of a round, which may share links.
enum class pairs_at_once : unsigned char { one, round };

/// The times of all pairs of ranks: medians, and their 95 % confidence intervals. Of a pair with too few samples for an
/// interval, its ends are 0.
struct pair_map {
    pair_times median, low, high;
};

/// Measure a pattern between all pairs of ranks, in both directions: `make_pattern(peer, role)` is called by both ranks
/// of a pair and returns the caller's pattern; the initiator sends. The pair `from`, `to` has the time of one
/// iteration. `channel` carries the messages by which the two ranks agree.
///
/// `pairing_rounds` rounds, each pair twice in its round. Collective over the group; the result is equal on every rank,
/// or with `on_all_ranks` false on rank 0 only: then another rank needs memory for the pairs of its own alone, and
/// returns an empty map (0 ranks).
template <Group G, ControlChannel C, class Plan, class Make>
[[nodiscard]] pair_map map(G& group, C const& channel, Plan const& plan, Make make_pattern,
                           pairs_at_once at_once = pairs_at_once::one, bool on_all_ranks = true) {
    auto const rank = group.rank(), ranks = group.size();
    std::vector<double> mine(3 * static_cast<std::size_t>(ranks)); // to each peer: median, low, high
    auto const measure = [&](int peer) {
        pair_group<C> pair{channel, rank, peer};
        for (auto const initiator : {0, 1}) {
            auto const sends = pair.rank() == initiator;
            auto const found = run(pair, plan, make_pattern(peer, sends ? role::initiator : role::responder));
            if (!sends) continue;
            auto const at = 3 * static_cast<std::size_t>(peer);
            mine[at] = median(found).count();
            if (auto const interval = median_interval(found)) {
                mine[at + 1] = interval->low.count();
                mine[at + 2] = interval->high.count();
            }
        }
    };
    pairing_rounds const rounds{ranks};
    for (int round = 0; round != rounds.size(); ++round) {
        auto const peer = rounds.partner(round, rank);
        group.barrier();
        if (at_once == pairs_at_once::round) {
            if (peer) measure(*peer);
            continue;
        }
        for (int lower = 0; lower != ranks; ++lower) {
            auto const upper = rounds.partner(round, lower);
            if (!upper || *upper < lower) continue;
            if (lower == rank || *upper == rank) measure(*peer);
            group.barrier();
        }
    }
    auto const all = sonde::gather(group, {mine.data(), mine.size()}, on_all_ranks);
    auto const known = all.empty() ? 0 : ranks;
    pair_map found{pair_times{known}, pair_times{known}, pair_times{known}};
    for (std::size_t i = 0; i != all.size() / 3; ++i) {
        found.median.times[i] = seconds{all[3 * i]};
        found.low.times[i] = seconds{all[3 * i + 1]};
        found.high.times[i] = seconds{all[3 * i + 2]};
    }
    return found;
}

} // namespace sonde
