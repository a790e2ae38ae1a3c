// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/binomial.hpp>
#include <sonde/detail/combine.hpp>
#include <sonde/detail/view.hpp>
#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/plan.hpp>
#include <sonde/statistics.hpp>
#include <sonde/time.hpp>
#include <sonde/time_batch.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace sonde::detail {

/// A number of iterations, of which only the first is timed.
template <Group G, class Plan, Pattern P>
seconds warm_up_by_count(G& group, Plan& plan, P& pattern) {
    seconds first{};
    for (std::size_t i = 0; i != plan.warmup_iterations; ++i) {
        plan.synchronize(group, i);
        if (i == 0) {
            first = sonde::time_batch(plan.clock, pattern, 1);
        } else {
            pattern();
            sonde::complete(pattern);
        }
    }
    return first;
}

/// What the slowest rank says of a block of the warm-up, and whether rank 0's time is over; equal on all ranks.
template <Group G>
std::array<double, 2> agree_on_block(G& group, seconds median, bool counts, bool over) {
    std::array<double, 2> said{counts ? median.count() : never, group.rank() == 0 && over ? 1.0 : 0.0};
    group.all_reduce(said, reduction::max);
    return said;
}

/// Blocks of 1, 2, 4 .. iterations (methods of UCX's perftest), until the plan calls them stable.
template <Group G, class Plan, Pattern P>
seconds warm_up_until_stable(G& group, Plan& plan, P& pattern) {
    constexpr std::size_t tells = 16, most = 8192;
    auto const counts = sonde::plays(pattern) == role::initiator;
    auto const begin = plan.clock.now();
    seconds first{};
    double before = never;
    std::vector<seconds> times;
    for (std::size_t n = 1, done = 0;; done += n, n *= 2) {
        times.clear();
        times.reserve(n);
        for (std::size_t i = 0; i != n; ++i) {
            plan.synchronize(group, done + i);
            times.emplace_back(sonde::time_batch(plan.clock, pattern, 1));
        }
        if (done == 0) first = times.front();
        auto const over = !(seconds{plan.clock.now() - begin} < plan.stable.most);
        auto const [latest, ends] = detail::agree_on_block(group, median(from(times)), counts, over);
        auto const change = latest < before ? before - latest : latest - before;
        if (ends != 0 || n == most || (n >= tells && change <= plan.stable.tolerance * before)) return first;
        before = latest;
    }
}

/// Iterate without keeping times, synchronized as the samples will be; the time of the first iteration.
template <Group G, class Plan, Pattern P>
seconds warm_up(G& group, Plan& plan, P& pattern) {
    return plan.warms_until_stable ? detail::warm_up_until_stable(group, plan, pattern)
                                   : detail::warm_up_by_count(group, plan, pattern);
}

/// Iterations that a sample needs so that the timer does not limit it: the rule is Hoefler and Belli's (SC15, 4.2.1),
/// clock below 5 % and step below 1 % of what is timed, for the slowest rank's time and the worst rank's timer. Of
/// three batches of each size the fastest counts. Collective over the group.
template <Group G, class Plan, Pattern P>
std::size_t batch_for_timer(G& group, Plan& plan, P& pattern, timer const& clock) {
    constexpr std::size_t most = std::size_t{1} << 20;
    constexpr double margin = 1.25;
    for (std::size_t n = 1;; n *= 2) {
        seconds best{};
        for (std::size_t k = 0; k != 3; ++k) {
            plan.synchronize(group, k);
            seconds const t = sonde::time_batch(plan.clock, pattern, n);
            if (k == 0 || t < best) best = t;
        }
        std::array<double, 2> said{sonde::plays(pattern) == role::initiator ? best.count() : never,
                                   margin * least_sample(clock).count()};
        group.all_reduce(said, reduction::max);
        auto const [elapsed, needed] = said;
        if (!(needed > 0)) return 1; // a clock that is said to cost nothing
        if (n == most) return most;
        if (elapsed < needed) continue;
        return rounded_up(needed / elapsed * static_cast<double>(n));
    }
}

} // namespace sonde::detail
