// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace unit {

/// A kind of series whose spread is 0 or a few ticks of the clock.
struct coarse_kind {
    std::string name;
    double tick;      // ns; 0: an exact clock
    double deviation; // ns, of normal noise before the clock
    double step;      // ns, added to every second sample
};

inline std::vector<coarse_kind> coarse_kinds() {
    return {{"exact", 0, 0, 0},        {"two values in turn", 0, 0, 10}, {"ticks, no noise", 10, 0, 0},
            {"ticks, 1 ns", 10, 1, 0}, {"ticks, 3 ns", 10, 3, 0},        {"ticks, 6 ns", 10, 6, 0},
            {"noise, 1 %", 0, 4, 0}};
}

/// n samples of this length, as a clock of this kind reads them.
inline std::vector<sonde::seconds> coarse_series(coarse_kind const& kind, double nanoseconds, std::size_t n,
                                                 unsigned seed) {
    std::mt19937 random{seed};
    std::normal_distribution<double> noise{0, 1};
    std::vector<sonde::seconds> all;
    for (std::size_t i = 0; i != n; ++i) {
        auto const exact = nanoseconds + (i % 2 == 0 ? 0 : kind.step) + kind.deviation * noise(random);
        all.emplace_back(1e-9 * (kind.tick > 0 ? kind.tick * std::round(exact / kind.tick) : exact));
    }
    return all;
}

} // namespace unit
