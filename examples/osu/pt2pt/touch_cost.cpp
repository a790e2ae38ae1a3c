// SPDX-License-Identifier: BSL-1.0
#include "osu/pt2pt/touch_cost.hpp"

#include <sonde/stat/histogram.hpp>

#include <chrono>
#include <ratio>
#include <span>
#include <vector>

namespace osu {

namespace {

void shorten(std::vector<sonde::seconds>& times, sonde::seconds by) {
    for (auto& t : times) t -= by;
}

/// Each time is the middle of its bucket, as in quantiles.
sonde::histogram shortened(sonde::histogram const& times, sonde::seconds by) {
    using picoseconds = std::chrono::duration<double, std::pico>;
    std::vector<double> counts(sonde::histogram::sums);
    times.write_sums(std::span<double, sonde::histogram::sums>{counts});
    sonde::histogram found;
    for (std::size_t i = 0; i != sonde::histogram::buckets; ++i) {
        auto const time = picoseconds{sonde::detail::log_linear<7, 50>::midpoint(i)} - by;
        for (auto n = counts[i]; n > 0; --n) found.add(time);
    }
    return found;
}

} // namespace

std::size_t subtracted_launches(metric as, bool initiator_receives, buffer_placement const& where, std::size_t window) {
    auto const to_device = where.destination == memory_kind::managed_device;
    auto const sides = std::size_t{where.source == memory_kind::managed_device} + std::size_t{to_device};
    if (as == metric::latency) return sides;
    auto const both_ways = as == metric::bandwidth && initiator_receives;
    return window * (both_ways ? sides : std::size_t{to_device});
}

sonde::record without_touch_cost(sonde::record found, sonde::seconds cost) {
    shorten(found.series, cost);
    shorten(found.sample_means, cost);
    shorten(found.rank_means, cost);
    for (auto& times : found.overflow) times = shortened(times, cost);
    if (found.global) shorten(found.global->series, cost);
    for (auto* const t : {&found.over_ranks.min, &found.over_ranks.mean, &found.over_ranks.max}) *t -= cost;
    return found;
}

} // namespace osu
