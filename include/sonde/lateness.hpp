// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/clock/global_clock.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/lateness/find_lateness.hpp>
#include <sonde/lateness/gathered_loop.hpp>
#include <sonde/lateness/lateness_record.hpp>
#include <sonde/lateness/packed.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/probe.hpp>

#include <exception>
#include <vector>

namespace sonde::inline v0_1 {

/// Find the ranks that made other ranks of a loop wait, from the latest passes of the probe's exchanges
/// (`basic_scope::exchange`) and scopes of work. Collective over the group; the record is equal on all ranks.
///
/// Ranks match by the numbers of their passes: all ranks that have an exchange must have passed it equally often when
/// the function is called, or the passes beyond are left out. The last steps that all ranks keep are examined, at most
/// 2^22 numbers on rank 0: 2 and one for each scope of work, for each rank and step. `clock` is a `global_clock` of the
/// group, made from the clock of the probe; if the ranks have different clocks, make it before the loop. Its deviation
/// is measured first.
///
/// Throws std::invalid_argument on all ranks if an exchange has a partner that is no rank of the group, if a scope is
/// of another kind on another rank, and unless the options, of which those of rank 0 count, are at least 0 and below 1.
template <Group G, Clock C, class GlobalClock>
    requires requires(G& group, GlobalClock& clock) { clock.measure_deviation(group).error_bound; }
[[nodiscard]] lateness_record collect_lateness(G& group, GlobalClock& clock, basic_probe<C> const& local,
                                               lateness_options options = {}) {
    detail::watched_call const watched{group, "collect_lateness"};
    std::exception_ptr failure;
    detail::attempt(failure, [&] { detail::require_options(options); });
    detail::require_same_call(group_ref{group}, {"collect_lateness"}, failure);
    auto const passes = detail::gather_loop(group, clock, local).passes;
    std::vector<double> packed;
    sonde::collectively(group, [&] {
        if (group.rank() == 0) packed = detail::packed(sonde::find_lateness(passes, options));
    });
    sonde::broadcast(group, packed);
    return detail::unpacked(packed);
}

/// As above, with a `global_clock` that is made now.
template <Group G, Clock C>
[[nodiscard]] lateness_record collect_lateness(G& group, basic_probe<C> const& local, lateness_options options = {}) {
    detail::watched_call const watched{group, "collect_lateness"};
    global_clock clock{group, local.clock()};
    return sonde::collect_lateness(group, clock, local, options);
}

} // namespace sonde
