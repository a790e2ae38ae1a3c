// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/units.hpp>

#include <algorithm>
#include <cmath>

namespace sonde::model {

/// How often the latency is charged: as published, T_l (4n - 1); or as the time line of a turn-around has it, T_l 2n,
/// where the saving of a turn-around is a whole chunk (4').
enum class latency_form : unsigned char { published, time_line };

/// Two ping-pong pairs at the same time between two nodes, whose messages share a link in chunks (Hager and Wellein,
/// A performance model for the IMB multi-mode PingPong benchmark, 2007).
///
/// With the published form the latency is an effective parameter, about half of that of a ping-pong.
struct multi_ping_pong {
    bytes chunk{};     // C
    rate link{};       // B_r, one direction
    seconds latency{}; // T_l
    latency_form form = latency_form::time_line;

    /// What is fitted: `repetitions` ping-pongs of each pair took so long, both pairs together.
    struct point {
        bytes size;
        double repetitions;
        seconds time;
    };

    /// T_p(x) = x / B_r (1).
    constexpr seconds transfer_time(bytes x) const { return x / link; }
    /// beta(x), the chunks of a message (2): 1 below C, x / C above.
    constexpr double chunks(bytes x) const { return std::max(1.0, x / chunk); }
    /// T_b(x) of n ping-pongs of both pairs: T_p (4n - (2n - 1) / beta) + T_l (4n - 1) (5), or + T_l 2n (4').
    constexpr seconds time(bytes x, double n) const {
        return transfer_time(x) * (4 * n - (2 * n - 1) / chunks(x)) + latency * latencies(n);
    }
    /// b(x) = 4 x n / T_b of both pairs (6): twice what is printed for each.
    constexpr rate bandwidth(bytes x, double n) const { return 4 * n * x / time(x, n); }

    constexpr double latencies(double n) const { return form == latency_form::published ? 4 * n - 1 : 2 * n; }
};

/// n(x) of the Intel MPI Benchmarks (3): min(1000, max(1, 40 MiB / x)), whole.
[[nodiscard]] inline double imb_repetitions(bytes x) {
    return std::min(1000.0, std::max(1.0, std::floor(40.0 * 1024 * 1024 / x.count())));
}

} // namespace sonde::model
