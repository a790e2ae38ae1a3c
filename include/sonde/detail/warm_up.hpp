// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/sampling.hpp>
#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/plan.hpp>
#include <sonde/stats/order_statistics.hpp>
#include <sonde/time.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace sonde::detail {

/// Run a fixed number of iterations, of which only the first is timed.
template <Group G, class Plan, Pattern P>
seconds warm_up_by_count(G& group, Plan& plan, P& pattern) {
    seconds first{};
    for (std::size_t i = 0; i != plan.warmup_iterations; ++i) {
        plan.synchronize(group, i);
        if (i == 0) {
            first = detail::time_batch(plan.clock, pattern, 1);
        } else {
            pattern();
            sonde::complete(pattern);
        }
    }
    return first;
}

/// Run blocks of 1, 2, 4 .. iterations (the method of UCX's perftest) until the plan's stability condition holds.
template <Group G, class Plan, Pattern P>
seconds warm_up_until_stable(G& group, Plan& plan, P& pattern) {
    constexpr std::size_t min_block = 16, max_block = 8192;
    auto const counts = sonde::plays(pattern) == role::initiator;
    auto const begin = plan.clock.now();
    seconds first{};
    double previous = no_value;
    std::vector<seconds> times;
    for (std::size_t n = 1, done = 0;; done += n, n *= 2) {
        times.clear();
        times.reserve(n);
        for (std::size_t i = 0; i != n; ++i) {
            plan.synchronize(group, done + i);
            times.emplace_back(detail::time_batch(plan.clock, pattern, 1));
        }
        if (done == 0) first = times.front();
        auto const time_is_up = !(seconds{plan.clock.now() - begin} < plan.stability.max_time);
        std::array<double, 2> maxima{counts ? median(as_span(times)).count() : no_value,
                                     group.rank() == 0 && time_is_up ? 1.0 : 0.0};
        group.all_reduce(maxima, reduction::max);
        auto const [latest, ends] = maxima;
        auto const change = latest < previous ? previous - latest : latest - previous;
        if (ends != 0 || n == max_block || (n >= min_block && change <= plan.stability.tolerance * previous))
            return first;
        previous = latest;
    }
}

/// Warm up, synchronized as the samples are. Returns the time of the first iteration. Collective over the group.
template <Group G, class Plan, Pattern P>
seconds warm_up(G& group, Plan& plan, P& pattern) {
    return plan.warmup_until_stable ? detail::warm_up_until_stable(group, plan, pattern)
                                    : detail::warm_up_by_count(group, plan, pattern);
}

/// The smallest batch for which the clock's error is small (`min_sample_time`), by the slowest rank's time and the
/// worst rank's clock. Of three batches of each size the fastest counts. Collective over the group.
template <Group G, class Plan, Pattern P>
std::size_t batch_for_timer(G& group, Plan& plan, P& pattern, clock_properties const& clock) {
    constexpr std::size_t max_batch = std::size_t{1} << 20;
    constexpr double margin = 1.25;
    for (std::size_t n = 1;; n *= 2) {
        seconds best{};
        for (std::size_t k = 0; k != 3; ++k) {
            plan.synchronize(group, k);
            seconds const t = detail::time_batch(plan.clock, pattern, n);
            if (k == 0 || t < best) best = t;
        }
        std::array<double, 2> maxima{sonde::plays(pattern) == role::initiator ? best.count() : no_value,
                                     margin * min_sample_time(clock).count()};
        group.all_reduce(maxima, reduction::max);
        auto const [elapsed, needed] = maxima;
        if (!(needed > 0)) return 1; // a clock without cost, by its own properties
        if (n == max_batch) return max_batch;
        if (elapsed < needed) continue;
        return rounded_up(needed / elapsed * static_cast<double>(n));
    }
}

} // namespace sonde::detail
