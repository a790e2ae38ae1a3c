// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model.hpp>
#include <tools/records/model_points.hpp>

#include <cstddef>
#include <vector>

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::log_gp;
using sonde::model::piecewise_log_gp;

/// The model's exact times of a size, with 12 messages each and a wait of PRTT(1, 0, s).
inline tools::model_point<log_gp> round_trips_of(log_gp const& m, bytes s) {
    auto const one = m.prtt(1, {}, s);
    return {s,
            12,
            one,
            one,
            one + 11 * m.interval(s),
            m.prtt(12, one, s),
            one,
            one + 11 * (one + m.receive_overhead_at(s))};
}

/// n sizes from 1 B on with a fixed step; from size number `broken` on by the second model.
inline std::vector<tools::model_point<log_gp>> series_of(log_gp const& first, std::size_t n, double step = 1024,
                                                         log_gp const& second = {}, std::size_t broken = 1000) {
    std::vector<tools::model_point<log_gp>> points;
    for (std::size_t i = 0; i != n; ++i)
        points.push_back(round_trips_of(i < broken ? first : second, bytes{1 + step * static_cast<double>(i)}));
    return points;
}

// L, o_s, o_r, g, G
constexpr log_gp eager{seconds{5e-6}, seconds{1e-6}, seconds{0.8e-6}, seconds{3e-6}, seconds{2e-10}};
constexpr log_gp rendezvous{seconds{9e-6}, seconds{1.5e-6}, seconds{2e-6}, seconds{11e-6}, seconds{1e-10}};
