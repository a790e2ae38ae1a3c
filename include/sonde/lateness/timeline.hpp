// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/clock/global_clock.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/lateness/delay_costs.hpp>
#include <sonde/lateness/exchange_passes.hpp>
#include <sonde/lateness/gathered_loop.hpp>
#include <sonde/lateness/loop.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/probe.hpp>
#include <sonde/timeline.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sonde::inline v0_1 {

namespace detail {

/// Waiting, awaited rank and cause of each pass as numbers, for a broadcast.
std::vector<double> waits_of(exchange_passes const& passes);

/// Adds the waits of a rank to a track. `waits`: of all ranks, by `waits_of`.
void add_waits(timeline_track& track, gathered_loop const& loop, std::vector<double> const& waits, int rank, int ranks);

} // namespace detail

/// Add what the kept passes of this rank's exchanges were to a track: waiting, and transfer, as slices within the slice
/// of the pass, if it waited. The name of a wait has the rank for which it waited, and the rank that caused the wait:
///
///     waits for rank 2, delayed by the work of rank 3
///
/// Call it after the loop, with the track in which the probe records, and before `write_timeline`. Collective over the
/// group, as `collect_lateness`, from whose times and clock it takes what it adds; it throws the same exceptions.
template <Group G, Clock C, class GlobalClock>
    requires requires(G& group, GlobalClock& clock) { clock.measure_deviation(group).error_bound; }
void record_waiting(G& group, GlobalClock& clock, basic_probe<C> const& local, timeline_track& track) {
    detail::watched_call const watched{group, "record_waiting"};
    detail::require_same_call(group_ref{group}, {"record_waiting"}, {});
    auto const loop = detail::gather_loop(group, clock, local);
    std::vector<double> waits;
    sonde::collectively(group, [&] {
        if (group.rank() == 0) waits = detail::waits_of(loop.passes);
    });
    sonde::broadcast(group, waits);
    detail::add_waits(track, loop, waits, group.rank(), group.size());
}

} // namespace sonde

#if SONDE_DEFINITIONS
namespace sonde::inline v0_1::detail {

inline constexpr std::size_t numbers_of_wait = 4; // time, awaited rank, cause, 1 if it is a transfer

SONDE_INLINE std::vector<double> waits_of(exchange_passes const& passes) {
    delay_costs const costs{passes};
    std::vector<double> all;
    for (std::size_t s = 0; s != passes.steps.size(); ++s)
        for (int r = 0; r != passes.ranks; ++r)
            all.insert(all.end(), {costs.waiting(s, r).count(), static_cast<double>(costs.awaited(s, r)),
                                   static_cast<double>(costs.cause(s, r)), costs.is_by_transfer(s, r) ? 1.0 : 0.0});
    return all;
}

/// "waits for rank 2, delayed by the work of rank 3"
SONDE_INLINE std::string wait_text(int awaited, int cause, bool by_transfer) {
    auto text = "waits for rank " + std::to_string(awaited);
    if (cause < 0) return text;
    return text + ", delayed by " + (by_transfer ? "a transfer" : "the work") + " of rank " + std::to_string(cause);
}

SONDE_INLINE void add_waits(timeline_track& track, gathered_loop const& loop, std::vector<double> const& waits,
                            int rank, int ranks) {
    auto const transfer = track.type_index({event_kind::scope, "transfer"});
    std::vector<std::vector<local_pass const*>> passes(
        loop.mine.exchanges.size()); // by number, from the first kept one
    for (auto const& p : loop.mine.passes) passes[p.exchange].push_back(&p);
    for (std::size_t s = 0; s != loop.steps.size(); ++s) {
        auto const* const wait =
            &waits[(s * static_cast<std::size_t>(ranks) + static_cast<std::size_t>(rank)) * numbers_of_wait];
        if (wait[0] == 0) continue;
        auto const& kept = passes[loop.steps[s].exchange];
        auto const& pass = *kept[loop.steps[s].number - kept.front()->number];
        auto const text = wait_text(static_cast<int>(wait[1]), static_cast<int>(wait[2]), wait[3] != 0);
        auto const begin = pass.reading, entered = begin + seconds{wait[0]}, end = begin + (pass.end - pass.begin);
        track.add(track.type_index({event_kind::scope, text}), begin, entered);
        track.add(transfer, entered, end);
    }
}

} // namespace sonde::detail

#endif
