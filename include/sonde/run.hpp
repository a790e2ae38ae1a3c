// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/combine.hpp>
#include <sonde/detail/equal_plans.hpp>
#include <sonde/detail/sampling.hpp>
#include <sonde/detail/warm_up.hpp>
#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/plan.hpp>
#include <sonde/record.hpp>
#include <sonde/time.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <utility>

namespace sonde {

/// Measure a pattern by a plan. Collective over the group; the record is equal on all ranks.
///
/// The phases are warm-up, then synchronization and a timed batch for each sample until the stopping rule ends the
/// series, then two reductions of the ranks' results. The plan must be equal on all ranks; a stopping rule that is not
/// uniform is evaluated on rank 0 only.
///
/// Throws on all ranks: std::invalid_argument, before the first reading of the clock, for a plan that allows no
/// measurement or differs between ranks (the message names the parts); std::runtime_error if 9 in 10 samples begin too
/// late for their synchronized start. If the stopping rule throws, rank 0 throws its exception and the other ranks
/// std::runtime_error. If the pattern throws, only that rank throws, and the others wait for it: end the job
/// (`mpi::abort_on_exception`).
template <Group G, class Plan, Pattern P>
    requires Synchronizer<decltype(Plan::synchronize), G>
[[nodiscard]] record run(G& group, Plan plan, P&& pattern, point at = {}) {
    auto const known_schedule = detail::require_equal(group, plan, detail::is_valid(sonde::moves(pattern)));
    record found;
    found.point = std::move(at);
    found.clock_properties = sonde::clock_properties_of(plan.clock);
    detail::synchronize_clocks(group, plan);
    auto const first = detail::warm_up(group, plan, pattern);
    if (plan.batch_by_timer)
        plan.batch_iterations = detail::batch_for_timer(group, plan, pattern, found.clock_properties);
    sonde::after_warmup(pattern);
    found.batch = plan.batch_iterations;
    if (detail::global_clock_of(plan.synchronize) != nullptr) found.global.emplace();
    auto const mine = detail::sample(group, plan, pattern, found, known_schedule);
    detail::finish(group, plan, sonde::moves(pattern), mine, first, detail::clock_deviation_of(group, plan), found);
    return found;
}

/// Validate the data that a pattern moves, untimed. Returns the number of wrong elements, summed over rounds and ranks.
/// Collective over the group.
///
/// Each round on every rank: `prepare(round)` writes the send buffer and clears the receive buffer, a barrier, one
/// iteration of the pattern, `verify(round)` -> number of wrong elements on this rank.
template <Group G, Pattern P, std::invocable<std::size_t> Prepare, std::invocable<std::size_t> Verify>
[[nodiscard]] std::size_t validate(G& group, P& pattern, Prepare prepare, Verify verify, std::size_t rounds = 1) {
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
