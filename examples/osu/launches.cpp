// SPDX-License-Identifier: BSL-1.0
#include "launches.hpp"

#include <sonde/detail/log_linear.hpp>

#include <chrono>
#include <ratio>
#include <vector>

namespace osu {

namespace {

void shorten(std::vector<sonde::seconds>& times, sonde::seconds by) {
    for (auto& t : times) t -= by;
}

} // namespace

std::size_t launches_taken_off(program const& about, placements const& where, std::size_t window) {
    auto const to_device = where.destination == placement::managed_device;
    auto const sides = std::size_t{where.source == placement::managed_device} + std::size_t{to_device};
    if (about.shows == figure::latency) return sides;
    auto const both_ways = about.shows == figure::bandwidth && about.initiator_receives;
    return window * (both_ways ? sides : std::size_t{to_device});
}

sonde::record shortened(sonde::record found, sonde::seconds by) {
    shorten(found.series, by);
    shorten(found.sample_means, by);
    shorten(found.rank_means, by);
    if (found.global) shorten(found.global->series, by);
    for (auto* const t : {&found.over_ranks.min, &found.over_ranks.mean, &found.over_ranks.max}) *t -= by;
    return found;
}

} // namespace osu
