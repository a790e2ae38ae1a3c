// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/units.hpp>

#include <algorithm>
#include <cmath>

namespace sonde::model {

/// Latency term of the multi-mode model: T_l (4n - 1) as published in (5), or T_l 2n (4'). The latter follows from the
/// time line of a turn-around, which saves the time of a whole chunk.
enum class latency_form : unsigned char { published, time_line };

/// Multi-mode PingPong: two ping-pong pairs run at the same time between two nodes, and their messages share the link
/// in chunks (Hager and Wellein, A performance model for the IMB multi-mode PingPong benchmark, 2007).
///
/// The latency of the published form is an effective parameter, about half of a ping-pong's latency.
struct multi_ping_pong {
    bytes chunk{};     // C
    rate link_rate{};  // B_r, in one direction
    seconds latency{}; // T_l
    latency_form form = latency_form::time_line;

    /// Observation for a fit: total time of `repetitions` ping-pongs of each of the two pairs.
    struct point {
        bytes size;
        double repetitions;
        seconds time;
    };

    /// T_p(x) = x / B_r (1).
    constexpr seconds transfer_time(bytes x) const { return x / link_rate; }
    /// Chunks of a message, beta(x) (2): 1 below C, x / C above.
    constexpr double chunks(bytes x) const { return std::max(1.0, x / chunk); }
    /// T_b(x) of n ping-pongs of both pairs: T_p (4n - (2n - 1) / beta) + T_l (4n - 1) (5), or + T_l 2n (4').
    constexpr seconds time(bytes x, double n) const {
        return transfer_time(x) * (4 * n - (2 * n - 1) / chunks(x)) + latency * latency_count(n);
    }
    /// Bandwidth of both pairs together, b(x) = 4 x n / T_b (6): twice the number that the benchmark prints.
    constexpr rate bandwidth(bytes x, double n) const { return 4 * n * x / time(x, n); }

    constexpr double latency_count(double n) const { return form == latency_form::published ? 4 * n - 1 : 2 * n; }
};

/// Number of repetitions n(x) of the Intel MPI Benchmarks (3): min(1000, max(1, 40 MiB / x)), rounded down.
[[nodiscard]] inline double imb_repetitions(bytes x) {
    return std::min(1000.0, std::max(1.0, std::floor(40.0 * 1024 * 1024 / x.count())));
}

} // namespace sonde::model
