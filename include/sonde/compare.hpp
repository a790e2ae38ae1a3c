// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/comparison.hpp>
#include <sonde/detail/rounds.hpp>
#include <sonde/group.hpp>
#include <sonde/measure.hpp>
#include <sonde/pattern.hpp>
#include <sonde/sync.hpp>

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde {

/// Alternatives whose number is known when the program runs.
///
///     visit(i, f)    calls f(pattern) once, with alternative i, 0 to count - 1; always with a pattern of the same type
///                    and state
///
/// Of a vector of variants of patterns: `alternatives{all.size(), [&](std::size_t i, auto f) { std::visit(f, all[i]);
/// }}`.
template <class Visit>
struct alternatives {
    std::size_t count;
    Visit visit;
};
template <class Visit>
alternatives(std::size_t, Visit) -> alternatives<Visit>;

namespace detail {

/// Warm up each alternative; a batch that the timer is to find is that of the alternative that needs the largest.
template <Group G, class Plan, class Set>
std::vector<contender> warm_up_each(G& group, Plan& plan, Set& set) {
    detail::begin_window(group, plan);
    std::vector<contender> all(set.count);
    auto const clock = sonde::timer_of(plan.clock);
    std::size_t batch = plan.batch_by_timer ? 1 : plan.batch_iterations;
    for (std::size_t i = 0; i != set.count; ++i)
        set.visit(i, [&](auto& pattern) {
            all[i].mine.who = sonde::plays(pattern);
            all[i].moved = sonde::moves(pattern);
            all[i].first = detail::warm_up(group, plan, pattern);
            auto const needed = plan.batch_by_timer ? detail::batch_for_timer(group, plan, pattern, clock) : batch;
            if (needed > batch) batch = needed;
            sonde::warmed_up(pattern);
        });
    plan.batch_iterations = batch;
    for (auto& one : all) {
        one.found.timer = clock;
        one.found.batch = batch;
        if (detail::window_of(plan.synchronize) != nullptr) one.found.global.emplace();
    }
    return all;
}

} // namespace detail

/// Measure alternatives against each other, the first of which is the base. Collective over the group; the comparison
/// is equal on all ranks, and so is every verdict on it.
///
/// Each alternative is warmed up as `run` does it. Then rounds: a sample of each, of as many iterations, in an order
/// that is balanced in every so many rounds as there are alternatives, so that what drifts favours none. The plan says
/// how, as for `run`, but: before every sample ranks are brought together as before the first of a series; and the
/// rule's samples are rounds, its times the ratios of the base's to an alternative's, so that a relative error is that
/// of the speed-up; it is asked about each alternative, and must be content with all. Rounds are judged once, at the
/// end. Throws what `run` throws, and std::invalid_argument, on all ranks, for no alternative or not as many on all.
template <Group G, class Plan, class Visit>
    requires Synchronizer<decltype(Plan::synchronize), G>
[[nodiscard]] comparison compare(G& group, Plan plan, alternatives<Visit> set) {
    bool valid = true;
    for (std::size_t i = 0; i != set.count; ++i)
        set.visit(i, [&](auto& pattern) { valid = valid && detail::is_valid(sonde::moves(pattern)); });
    auto const known_schedule = detail::require_equal(group, plan, valid, "compare", set.count);
    if (set.count == 0) throw std::invalid_argument{"sonde::compare: needs at least one alternative"};
    auto all = detail::warm_up_each(group, plan, set);
    detail::sample_rounds(group, plan, set, all, known_schedule);
    auto const drift = detail::check_clock(group, plan);
    comparison found;
    for (auto& one : all) {
        detail::finish(group, plan, one.moved, one.mine, one.first, drift, one.found);
        found.records.push_back(std::move(one.found));
    }
    return found;
}

/// The same for a base and others: `compare(group, plan, old_way, new_way)`.
template <Group G, class Plan, Pattern Base, Pattern... Others>
[[nodiscard]] comparison compare(G& group, Plan plan, Base&& base, Others&&... others) {
    auto const visit = [&](std::size_t i, auto f) {
        std::size_t at = 0;
        auto const call = [&](auto& pattern) {
            if (at++ == i) f(pattern);
        };
        call(base);
        (call(others), ...);
    };
    return sonde::compare(group, std::move(plan), alternatives{1 + sizeof...(others), visit});
}

/// The alternative to go on with, equal on all ranks: `fastest(compare(group, plan, all...))`.
template <Group G, class Plan, class... All>
[[nodiscard]] std::size_t fastest(G& group, Plan plan, All&&... all) {
    return sonde::fastest(sonde::compare(group, std::move(plan), std::forward<All>(all)...));
}

} // namespace sonde
