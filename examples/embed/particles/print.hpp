// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "domain.hpp"
#include "tune.hpp"
#include "ways.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace particles {

namespace detail {

inline void print_times(char const* name, sonde::record const& r) {
    auto const us = [](sonde::seconds t) { return t.count() * 1e6; };
    std::printf("  %-22s%9.2f  ", name, us(sonde::median(r)));
    auto const interval = sonde::median_interval(r);
    if (interval) std::printf("%8.2f to %8.2f", us(interval->low), us(interval->high));
    else std::printf("%20s", "-");
    std::printf("%9.1f\n", sonde::bandwidth(r) / 1e6);
}

/// Verdict on an alternative to serialized objects, in a sentence.
inline void print_verdict(char const* name, sonde::comparison const& ways, std::size_t i) {
    auto const interval = sonde::speedup_interval(ways, i);
    auto const verdict = sonde::classify(ways, i);
    if (!interval) std::printf("  %s: %s\n", name, sonde::outcome_text(ways, i).c_str());
    else if (verdict == sonde::outcome::undecided)
        std::printf("  %s: no difference from %s is shown by %zu rounds\n", name, serialized::name,
                    ways.records[i].stop.samples);
    else if (verdict == sonde::outcome::faster)
        std::printf("  %s: %.2f times as fast as %s (%.2f to %.2f)\n", name, sonde::speedup(ways, i), serialized::name,
                    interval->low, interval->high);
    else
        std::printf("  %s: takes %.2f times as long as %s (%.2f to %.2f)\n", name, 1 / sonde::speedup(ways, i),
                    serialized::name, 1 / interval->high, 1 / interval->low);
}

} // namespace detail

/// Print a row and a sentence for each way.
inline void print(tuning const& t, std::vector<any_way> const& ways, halo const& of_rank_0) {
    std::printf("\nexchange with both neighbors; rank 0 sends %zu and %zu particles; %zu rounds\n",
                of_rank_0.out[left].all.size(), of_rank_0.out[right].all.size(), t.ways.records[0].stop.samples);
    std::printf("  %-22s%9s  %20s%9s\n", "way", "median us", "95 % interval", "MB/s");
    for (std::size_t i = 0; i != ways.size(); ++i) detail::print_times(name(ways[i]), t.ways.records[i]);
    for (std::size_t i = 1; i != ways.size(); ++i) detail::print_verdict(name(ways[i]), t.ways, i);
    std::printf("  used from now on: %s\n\n", name(ways[t.fastest]));
}

/// True if nothing was lost; rank 0 prints the sums. A ghost that is wrong on one of two ranks changes the momentum.
inline bool conserved(invariants const& before, invariants const& after, int steps, bool prints) {
    auto const change = std::abs(after.momentum - before.momentum);
    auto const particles_kept = after.particles == before.particles && after.sum_of_ids == before.sum_of_ids;
    auto const momentum_kept = change <= 1e-14 * (steps + 1) * after.absolute_momentum;
    if (prints) {
        std::printf("particles: %lld of %lld (%s)\n", static_cast<long long>(after.particles),
                    static_cast<long long>(before.particles), particles_kept ? "all" : "WRONG");
        std::printf("momentum: %.12g, changed by %.1e (%s)\n", after.momentum, change,
                    momentum_kept ? "rounding" : "WRONG");
    }
    return particles_kept && momentum_kept;
}

} // namespace particles
