// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "coverage_series.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace step_series {

/// Times of healthy steps, about 100 us: an autoregressive process of order 1, whose shocks have the scale of 2 us.
struct noise {
    char const* name;
    double (*shock)(coverage::engine& bits);
    double phi = 0;
    double tick = 0; // times are rounded to it
};

inline double cauchy(coverage::engine& bits) { return coverage::normal(bits) / coverage::normal(bits); }
/// Student's t with three degrees of freedom.
inline double student(coverage::engine& bits) {
    double squares = 0;
    for (int i = 0; i != 3; ++i) squares += std::pow(coverage::normal(bits), 2);
    return coverage::normal(bits) / std::sqrt(squares / 3);
}
inline double skewed(coverage::engine& bits) { return std::exp(coverage::normal(bits)); }
/// One step in a hundred is preempted.
inline double preempted(coverage::engine& bits) { return coverage::uniform(bits) < 0.01 ? 100 : 0; }

inline constexpr noise normal{"normal", coverage::normal};
inline constexpr noise heavy_tailed{"heavy-tailed", student};
inline constexpr noise correlated{"correlated, 0.5", coverage::normal, 0.5};

inline std::vector<double> times(noise const& from, std::size_t n, int seed) {
    coverage::engine bits{static_cast<std::uint64_t>(seed)};
    std::vector<double> all;
    double x = 0;
    for (std::size_t i = 0; i != n + 100; ++i) {
        x = from.phi * x + from.shock(bits);
        auto const t = 1e-4 + 2e-6 * x;
        if (i >= 100) all.push_back(from.tick > 0 ? from.tick * std::round(t / from.tick) : t);
    }
    return all;
}

} // namespace step_series
